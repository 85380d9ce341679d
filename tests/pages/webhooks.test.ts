import { beforeAll, expect, test } from "bun:test"
import { newMember } from "../support/member"
import { newProgram, newProgramOf, type TestProgram } from "../support/program"
import { RECEIVER } from "../support/receiver"
import { ENDPOINTS, newEndpoint } from "../support/webhook-endpoint"
import { send, sql } from "../support/world"
import { describeInBrowser, useVisits } from "./visit"

const SECRET = /^whsec_[A-Za-z0-9+/]{43}=$/

describeInBrowser("webhooks", () => {
  const newVisit = useVisits()
  let program: TestProgram
  beforeAll(async () => {
    program = await newProgram({ name: "First shop" })
    await newProgramOf(program, { name: "Second shop" })
  })
  const path = () => `/workspaces/${program.workspace_id}/webhooks`
  const listed = async () =>
    (await send("GET", ENDPOINTS, { token: program.session })).body.data as object[]

  test("are created, edited, disabled, and deleted; the secret is shown once", async () => {
    const { page, open, troubles } = await newVisit({ session: program.session })
    await open(path())
    await page.getByRole("heading", { name: "No webhooks yet" }).waitFor()
    await page.getByRole("button", { name: "Create a webhook" }).click()
    const dialog = page.getByRole("dialog")
    await dialog.getByLabel("Address").fill(RECEIVER)
    await dialog.getByLabel("A sale was recorded").check()
    expect(await dialog.getByLabel("All events").isChecked()).toBe(false) // one or the other
    await dialog.getByLabel("Second shop").check()
    await dialog.getByRole("button", { name: "Create the webhook" }).click()
    const secret = (await dialog.getByText(SECRET).textContent())!
    await dialog.getByRole("button", { name: "I have copied it" }).click()

    const row = page.getByRole("row").filter({ hasText: RECEIVER })
    await row.getByText("A sale was recorded").waitFor()
    await row.getByText("Second shop").waitFor()
    expect((await page.content()).includes(secret)).toBe(false)

    await row.getByRole("button", { name: /^Edit/ }).click()
    await dialog.getByLabel("Description").fill("Warehouse <b>")
    await dialog.getByLabel("All events").check()
    await dialog.getByLabel("Second shop").uncheck()
    await dialog.getByLabel("Content").selectOption("Only its ids")
    await dialog.getByRole("button", { name: "Save the webhook" }).click()
    await row.getByText("Warehouse <b>").waitFor()
    await row.getByText("Every program").waitFor()
    expect(await listed()).toMatchObject([
      { events: ["*"], program_ids: null, payload: "thin", status: "enabled" },
    ])

    await row.getByRole("button", { name: /^Disable/ }).click()
    await row.getByText("Disabled").waitFor()
    await row.getByRole("button", { name: /^Enable/ }).click()
    await row.getByText("Enabled").waitFor()

    await row.getByRole("button", { name: /^Delete/ }).click()
    await dialog.getByText("This cannot be undone.").waitFor()
    await dialog.getByRole("button", { name: "Delete the webhook" }).click()
    await page.getByRole("heading", { name: "No webhooks yet" }).waitFor()
    expect(await listed()).toEqual([])
    expect(troubles).toEqual([])
  })

  test("keep the old secret for as long as one chooses", async () => {
    const created = await newEndpoint(program)
    const { page, open, troubles } = await newVisit({ session: program.session })
    await open(path())
    await page.getByRole("button", { name: /^Replace the secret/ }).click()
    const dialog = page.getByRole("dialog")
    await dialog.getByLabel("Keep the old secret valid for (hours)").fill("48")
    await dialog.getByRole("button", { name: "Replace the secret" }).click()
    const secret = (await dialog.getByText(SECRET).textContent())!
    expect(secret).not.toBe(created.secret)
    await dialog.getByRole("button", { name: "I have copied it" }).click()
    await page.getByText("The old secret is valid until").waitFor()
    expect(troubles).toEqual([])

    // As after the operator gave the secrets up: the way out is to replace it.
    await sql`delete from delivery.webhook_secrets where endpoint_id = ${created.id}`
    await sql`update delivery.webhook_endpoints set status = 'disabled' where id = ${created.id}`
    await page.reload()
    await page.getByText("No secret. Replace it to create one, then enable the webhook.").waitFor()
    await page.getByRole("button", { name: /^Enable/ }).click()
    await page.getByRole("alert").waitFor()
    await send("DELETE", `${ENDPOINTS}/${created.id}`, { token: program.session })
  })

  test("say why an address is refused, and keep what was typed", async () => {
    const { page, open } = await newVisit({ session: program.session })
    await open(path())
    await page.getByRole("button", { name: "Create a webhook" }).click()
    const dialog = page.getByRole("dialog")
    await dialog.getByLabel("Address").fill("https://169.254.169.254/")
    await dialog.getByRole("button", { name: "Create the webhook" }).click()
    await dialog.getByRole("alert").waitFor()
    expect(await dialog.getByLabel("Address").inputValue()).toBe("https://169.254.169.254/")
  })

  test("an analyst sees that it is not theirs", async () => {
    const { page, open } = await newVisit({ session: await newMember(program, "analyst") })
    await open(path())
    await page.getByRole("heading", { name: "Your role does not include this" }).waitFor()
  })
})
