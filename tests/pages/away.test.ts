import { beforeAll, expect, test } from "bun:test"
import { freePort } from "../../deploy/port"
import { succeedingClient } from "../support/http"
import { type Launcher, launch } from "../support/launcher"
import { describeInBrowser, useVisits } from "./visit"

const START_MS = 60_000
const { PROCESSES = "one", REPLICAS = "1" } = process.env

describeInBrowser("a gateway that goes away under an open page", () => {
  const newVisit = useVisits()
  let environment: Record<string, string>
  let launcher: Launcher
  let url: string
  let session: string
  beforeAll(async () => {
    environment = { PROCESSES, REPLICAS, PORT: `${await freePort()}` }
    launcher = await launch(environment)
    url = await launcher.ready
    environment.DATA_DIR = launcher.data_dir
    const send = succeedingClient(url)
    const owner = { email: "owner@example.com", password: "correct horse battery", name: "Owner" }
    session = (await send("POST", "/api/auth/sign-up", { body: owner })).token
    for (let i = 1; i <= 11; i++) {
      const body = { name: `Shop ${i}`, website_url: "https://shop.example" }
      await send("POST", "/api/advertiser/affiliate-programs", { token: session, body })
    }
  }, START_MS)

  test(
    "is said to be away, and its pages go on when it is back",
    async () => {
      const { page } = await newVisit({ session })
      await page.context().addCookies([{ name: "session", value: session, url }])
      await page.goto(`${url}/programs`)
      await page.getByText("1–10 of 11").waitFor()

      launcher.kill("SIGTERM")
      await launcher.ended
      await page.getByRole("link", { name: "Next page" }).click()
      await page.getByText("The server did not reply.").waitFor()

      launcher = await launch(environment)
      await launcher.ready
      await page.getByRole("button", { name: "Try again" }).first().click()
      await page.getByText("11–11 of 11").waitFor()
      expect(await page.getByRole("alert").count()).toBe(0)
    },
    2 * START_MS,
  )
})
