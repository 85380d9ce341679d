import { beforeAll, expect, test } from "bun:test"
import { newMember } from "../support/member"
import { newProgram, type TestProgram } from "../support/program"
import { send } from "../support/world"
import { describeInBrowser, useVisits } from "./visit"

describeInBrowser("members and workspaces", () => {
  const newVisit = useVisits()
  let program: TestProgram
  beforeAll(async () => {
    program = await newProgram()
  })

  test("a person is invited, and the invitation is withdrawn", async () => {
    const { page, open, troubles } = await newVisit({ session: program.session })
    await open(`/workspaces/${program.workspace_id}/members`)
    await page.getByRole("button", { name: "Invite a person" }).click()
    const dialog = page.getByRole("dialog")
    await dialog.getByLabel("E-mail address").fill("bea@people.example")
    await dialog.getByLabel("Role").selectOption("billing")
    await dialog.getByRole("button", { name: "Create the invitation" }).click()
    const link = (await dialog.getByRole("code").textContent()) as string
    expect(link).toContain("/invitation?token=affi_")
    await dialog.getByRole("button", { name: "Done" }).click()

    const row = page.getByRole("row").filter({ hasText: "bea@people.example" })
    await row.getByText("Billing").waitFor()
    await row.getByRole("button").click()
    await page.getByText("There is no pending invitation.").waitFor()
    const body = { token: link.split("token=")[1], password: "correct horse battery" }
    expect((await send("POST", "/api/auth/accept-invitation", { body })).status).toBe(400)
    expect(troubles).toEqual([])
  })

  test("a member is changed and removed, and the last owner stays", async () => {
    const session = await newMember(program, "analyst")
    const { user } = (await send("GET", "/api/auth/session", { token: session })).body.data
    const { page, open } = await newVisit({ session: program.session })
    await open(`/workspaces/${program.workspace_id}/members`)
    const row = page.getByRole("row").filter({ hasText: user.email })
    const dialog = page.getByRole("dialog")
    await row.getByRole("button").click()
    await dialog.getByLabel("Role").selectOption("admin")
    await dialog.getByRole("button", { name: "Save role and status" }).click()
    await row.getByText("Admin").waitFor()
    await row.getByRole("button").click()
    await dialog.getByRole("button", { name: "Remove from the workspace" }).click()
    await row.waitFor({ state: "detached" })
    expect((await send("GET", program.path, { token: session })).status).toBe(404)

    const own = page.getByRole("row").filter({ hasText: program.email })
    await own.getByRole("button").click()
    await dialog.getByRole("button", { name: "Remove from the workspace" }).click()
    await dialog.getByText("A workspace must keep an active owner.").waitFor()
  })

  test("a workspace is made, entered and renamed", async () => {
    const { page, open, troubles } = await newVisit({ session: program.session })
    await open("/workspaces")
    await page.getByRole("button", { name: "Create a workspace" }).click()
    const dialog = page.getByRole("dialog")
    await dialog.getByLabel("Workspace").fill("Second <i>shop</i>")
    await dialog.getByRole("button", { name: "Create the workspace" }).click()
    await page.waitForURL("**/programs?workspace=*")
    await page.getByRole("heading", { name: "No programs yet" }).waitFor()

    await open("/workspaces")
    const row = page.getByRole("row").filter({ hasText: "Second <i>shop</i>" })
    await row.getByRole("button").click()
    await dialog.getByLabel("Workspace").fill("Third shop")
    await dialog.getByRole("button", { name: "Save the name" }).click()
    await page.getByRole("link", { name: "Third shop" }).waitFor()
    expect(troubles).toEqual([])
  })
})
