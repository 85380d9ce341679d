import { beforeAll, expect, test } from "bun:test"
import { newProgram, type TestProgram } from "../support/program"
import { send } from "../support/world"
import { describeInBrowser, useVisits } from "./visit"

describeInBrowser("API keys", () => {
  const newVisit = useVisits()
  let program: TestProgram
  beforeAll(async () => {
    program = await newProgram()
  })

  test("are made, used and revoked", async () => {
    const { page, open, troubles } = await newVisit({ session: program.session })
    await open(`/workspaces/${program.workspace_id}/api-keys`)
    await page.getByRole("heading", { name: "No API keys yet" }).waitFor()

    await page.getByRole("button", { name: "Create a key" }).click()
    const form = page.getByRole("dialog")
    await form.getByRole("textbox", { name: "Name" }).fill("=1+1 <b>Nightly</b>")
    await form.getByRole("checkbox", { name: "Read totals of programs" }).check()
    await form.getByRole("button", { name: "Create the key" }).click()
    await form.getByText("It is shown only this once").waitFor()
    const key = (await form.getByRole("code").textContent()) as string
    expect(key).toMatch(/^affk_\w{38}$/)
    await form.getByRole("button", { name: "I have copied it" }).click()

    const row = page.getByRole("row").filter({ hasText: "=1+1 <b>Nightly</b>" })
    await row.getByText("Read programs, partners, links").waitFor()
    await row.getByText("Read totals of programs").waitFor()
    expect(await row.textContent()).toContain("Never")
    expect((await page.content()).includes(key)).toBe(false)

    const use = async () => (await send("GET", program.path, { token: key })).status
    expect(await use()).toBe(200)
    await page.reload()
    await row.waitFor()
    expect(await row.textContent()).not.toContain("Never")

    await row.getByRole("button", { name: /^Revoke/ }).click()
    await form.getByText("This cannot be undone").waitFor()
    expect(await use()).toBe(200)
    await form.getByRole("button", { name: "Revoke the key" }).click()
    await row.getByText("Revoked").waitFor()
    expect(await use()).toBe(401)
    expect(troubles).toEqual([])
  })
})
