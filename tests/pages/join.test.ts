import { expect, test } from "bun:test"
import { newProgram, type TestProgram } from "../support/program"
import { send } from "../support/world"
import { describeInBrowser, useVisits } from "./visit"

const HOSTILE = "<img src=x onerror=alert(1)> \u202e=1+1"

describeInBrowser("the public page of a program", () => {
  const newVisit = useVisits()
  const put = (program: TestProgram, path: string, body: object) =>
    send("PUT", `${program.path}${path}`, { token: program.session, body })

  async function publish(program: TestProgram): Promise<string> {
    await send("POST", `${program.path}/go-live`, { token: program.session })
    return (await send("GET", program.path, { token: program.session })).body.data.slug
  }

  test("works out the rate on an example, and needs no script", async () => {
    const commission = { kind: "percent", rate_bps: 1_250, hold_days: 30, duration_months: 12 }
    const program = await newProgram({ name: HOSTILE, currency: "EUR", commission })
    await put(program, "/terms", { text: `No spam.\n${HOSTILE}` })
    await put(program, "/branding", { color: "#0a5ea8", welcome: `Welcome ${HOSTILE}` })
    const slug = await publish(program)

    const { page, open, troubles } = await newVisit({ context: { javaScriptEnabled: false } })
    await open(`/join/${slug}`)
    expect(await page.locator("h1").textContent()).toBe(HOSTILE)
    await page.getByText("A sale of 100.00 EUR earns you 12.50 EUR.").waitFor()
    await page.getByText("Renewals of a subscription earn for 12 months.").waitFor()
    await page.getByText("up to 60 days after the click").waitFor()
    await page.getByText("A commission waits 30 days").waitFor()
    await page.getByText("Terms, version 1").click()
    await page.getByText("No spam.").waitFor()
    expect(troubles).toEqual([])
  })

  test("says fixed amounts in the program's currency", async () => {
    const commission = { kind: "fixed", amount_cents: 500, hold_days: 0, auto_approve: false }
    const slug = await publish(await newProgram({ currency: "JPY", commission }))
    const { page, open } = await newVisit()
    await open(`/join/${slug}`)
    await page.getByText("Every sale earns you 500 JPY, whatever it costs.").waitFor()
    await page.getByText("The advertiser approves each commission.").waitFor()
  })

  test("is 404 for a program that is not published, as a page for people", async () => {
    const program = await newProgram()
    const { slug } = (await send("GET", program.path, { token: program.session })).body.data
    const { page, open } = await newVisit()
    const answered = page.waitForResponse(response => response.url().endsWith(`/join/${slug}`))
    await open(`/join/${slug}`)
    expect((await answered).status()).toBe(404)
    await page.getByRole("heading", { name: "There is no such program" }).waitFor()
    const { status, body } = await send("GET", `/join/${slug}`, {})
    expect({ status, body }).toEqual({ status: 404, body: { error: expect.any(String) } })
  })
})
