import { expect, test } from "bun:test"
import { newMember } from "../support/member"
import { newClick, newProgram } from "../support/program"
import { send } from "../support/world"
import { describeInBrowser, useVisits } from "./visit"

describeInBrowser("integration", () => {
  const newVisit = useVisits()

  test("sends a test from the page, and shows the request as curl and its answer", async () => {
    const program = await newProgram()
    const { page, open, troubles } = await newVisit({ session: program.session })
    await open(`/programs/${program.program_id}/integration?send=sale`)
    await page.getByLabel("Tracking token").fill(program.api_token)
    await page.getByRole("button", { name: "Send the test" }).click()

    await page.getByText("The answer: 200").waitFor()
    await page.getByText('"test_mode": true').first().waitFor()
    const curl = await page.getByText("curl -X POST").textContent()
    expect(curl).toContain(`/api/v1/track/sale \\\n`)
    expect(curl).toContain(`Authorization: Bearer ${program.api_token}`)
    await page.getByText("1 test", { exact: false }).first().waitFor()

    await page.getByRole("link", { name: "See it among the tests" }).click()
    await page.getByText("Sale (test)").waitFor()
    await page.getByText("test-1001").waitFor()
    expect(troubles).toEqual([])
  })

  test("shows the answer to a refused test, and fields that are not JSON are not sent", async () => {
    const program = await newProgram()
    const { page, open } = await newVisit({ session: program.session })
    await open(`/programs/${program.program_id}/integration?send=lead`)
    const fields = page.getByLabel("Fields as JSON")
    await fields.fill("{")
    await page.getByRole("button", { name: "Send the test" }).click()
    await page.getByRole("alert").getByText("not a JSON object").waitFor()
    await fields.fill('{"customer_key": 5}')
    await page.getByRole("button", { name: "Send the test" }).click()
    await page.getByText("The answer: 400").waitFor()
    await page.getByText('"error":').waitFor()
  })

  test("says of a token that is missing, cut off or unknown what to do about it", async () => {
    const program = await newProgram()
    const { session: token, path } = program
    const replaced = await send("POST", `${path}/regenerate-api-token`, { token })
    expect(replaced.status).toBe(200)
    const click_id = await newClick(program) // names the program of a call without a token
    expect((await send("POST", "/api/v1/track/sale", { body: { click_id } })).status).toBe(401)

    const { page, open } = await newVisit({ session: token })
    await open(`/programs/${program.program_id}/integration?send=sale`)
    await page.getByText("No token was sent.").waitFor()
    const tokens = [
      [program.api_token.slice(0, 20), "Copy the whole tracking token"],
      [program.api_token, "The token has been replaced"],
    ] as const
    for (const [token, fix] of tokens) {
      await page.getByLabel("Tracking token").fill(token)
      await page.getByRole("button", { name: "Send the test" }).click()
      await page.getByText(fix).waitFor()
      await page.getByText("The answer: 401").waitFor()
    }
    expect(await page.getByRole("link", { name: "See it among the tests" }).count()).toBe(0)
  })

  test("replaces the tracking token, which is shown once", async () => {
    const program = await newProgram()
    const { page, open, troubles } = await newVisit({ session: program.session })
    await open(`/programs/${program.program_id}/integration`)
    await page.getByRole("button", { name: "Replace the token…" }).click()
    await page.getByRole("dialog").getByText("This cannot be undone.").waitFor()
    await page.getByRole("button", { name: "Replace the token", exact: true }).click()
    const token = (await page.getByText(/^aff_[0-9A-Za-z]{38}$/).textContent())!

    const test = { additional_data: { test_mode: true } }
    const statusOf = async (token: string) =>
      (await send("POST", "/api/v1/track/sale", { token, body: test })).status
    expect([await statusOf(token), await statusOf(program.api_token)]).toEqual([200, 401])
    await page.reload()
    await page.getByText("****").waitFor()
    expect(await page.getByText(token).count()).toBe(0)
    expect(troubles).toEqual([])
  })

  test("an analyst tests, but does not see how to replace the token", async () => {
    const program = await newProgram()
    const { page, open } = await newVisit({ session: await newMember(program, "analyst") })
    await open(`/programs/${program.program_id}/integration`)
    await page.getByRole("heading", { name: "Test console" }).waitFor()
    expect(await page.getByText("Replace the token").count()).toBe(0)
  })
})
