import { expect, test } from "bun:test"
import { url } from "../support/world"
import { describeInBrowser, useBrowser } from "./visitor"

const LIMIT_MS = 60_000 // it renders every operation, which takes a busy machine its time

describeInBrowser("/docs", () => {
  const newVisitor = useBrowser()

  test(
    "shows every kind of operation, and asks nobody else",
    async () => {
      const { page, errors } = await newVisitor()
      const asked: string[] = []
      const refused: string[] = []
      page.on("request", request => asked.push(request.url()))
      page.on("console", said => said.type() === "error" && refused.push(said.text()))

      await page.goto(`${url}/docs`)
      await page.getByText("Record a click", { exact: true }).first().waitFor()
      await page.getByText("Record a sale, and the commission that it earns").first().click()
      await page.getByText("The transaction_id was recorded already").waitFor()

      const elsewhere = asked.filter(address => !/^data:/.test(address) && !address.startsWith(url))
      expect({ elsewhere, refused, errors }).toEqual({ elsewhere: [], refused: [], errors: [] })
    },
    LIMIT_MS,
  )
})
