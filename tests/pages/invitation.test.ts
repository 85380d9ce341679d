import { expect, test } from "bun:test"
import { newEmail } from "../support/partner-account"
import { newOwner, newProgram } from "../support/program"
import { send } from "../support/world"
import { describeInBrowser, useVisits } from "./visit"

describeInBrowser("the page of an invitation", () => {
  const newVisit = useVisits()
  const visit = () => newVisit({ context: { javaScriptEnabled: false } })

  test("says who invites to which workspace, as what, and until when", async () => {
    const { workspace_id, session } = await newOwner()
    const email = newEmail()
    const { body } = await send("POST", `/api/workspaces/${workspace_id}/invitations`, {
      token: session,
      body: { email, role: "analyst" },
    })
    const { page, open } = await visit()
    await open(`/invitation?token=${body.data.token}`)
    await page
      .getByText("Owner invites you to join the workspace “Owner's workspace” as an analyst.")
      .waitFor()
    await page.getByText(`The invitation is for ${email}, and can be accepted until`).waitFor()
    expect(await page.getByLabel("Use a different e-mail address").count()).toBe(0) // for partners alone

    await page.getByLabel("Password").fill("short")
    await page.getByRole("button", { name: "Accept the invitation" }).click()
    await page.getByRole("alert").waitFor()
    await page.getByText("Owner invites you").waitFor() // the form again still says to what
    await page.getByLabel("Password").fill("correct horse battery")
    await page.getByRole("button", { name: "Accept the invitation" }).click()
    await page.waitForURL(url => url.pathname !== "/invitation")
  })

  test("says which program invites a partner", async () => {
    const { path, session, partner_id } = await newProgram({ name: "Acme <shop>" })
    const invited = await send("POST", `${path}/partners/${partner_id}/invite`, { token: session })
    const { page, open } = await visit()
    await open(`/invitation?token=${invited.body.data.token}`)
    await page
      .getByText("“Owner's workspace” invites you to be a partner of the program “Acme <shop>”.")
      .waitFor()
    await page.getByLabel("Use a different e-mail address").waitFor()
  })

  test.each([
    ["/invitation", "Open the whole link of the invitation"],
    ["/invitation?token=affi_unknown", "ask for a new invitation"],
  ])("%s has no form, and says what to do", async (path, sentence) => {
    const { page, open } = await visit()
    await open(path)
    await page.getByText(sentence).waitFor()
    expect(await page.getByLabel("Password").count()).toBe(0)
    await page.getByRole("link", { name: "Sign in" }).waitFor()
  })
})
