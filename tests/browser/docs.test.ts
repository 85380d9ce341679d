import { expect, test } from "bun:test"
import { url } from "../support/world"
import { describeInBrowser, useBrowser } from "./visitor"

const LIMIT_MS = 60_000 // rendering every operation is slow on a busy machine

describeInBrowser("/docs", () => {
  const newVisitor = useBrowser()

  test(
    "shows the operations and loads nothing from other hosts",
    async () => {
      const { page, errors } = await newVisitor()
      const requested: string[] = []
      const consoleErrors: string[] = []
      page.on("request", request => requested.push(request.url()))
      page.on("console", message => {
        if (message.type() === "error") consoleErrors.push(message.text())
      })

      await page.goto(`${url}/docs`)
      await page.getByText("Record a click", { exact: true }).first().waitFor()
      await page.getByText("Record a sale and the commission it earns").first().click()
      await page.getByText("A sale with this transaction_id is already recorded").waitFor()

      const elsewhere = requested.filter(
        address => !/^data:/.test(address) && !address.startsWith(url),
      )
      expect({ elsewhere, consoleErrors, errors }).toEqual({
        elsewhere: [],
        consoleErrors: [],
        errors: [],
      })
    },
    LIMIT_MS,
  )
})
