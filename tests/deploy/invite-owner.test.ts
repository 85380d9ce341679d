import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { runInviteOwner } from "../support/commands"
import { launchOwnSystem, type System } from "../support/own-system"

const TIMEOUT_MS = 60_000
const email = "ada@example.com"
const password = "correct horse battery"

let system: System
beforeAll(async () => {
  system = await launchOwnSystem({ SIGN_UP: "closed" })
}, TIMEOUT_MS)
afterAll(() => system?.stop())

const invite = (address: string) => runInviteOwner(system.data_dir, ["--email", address])
const accept = (body: object) => system.request("POST", "/api/auth/accept-invitation", { body })
const lastLineOf = (output: string) => output.trimEnd().split("\n").at(-1) as string

/** Where sign-up is closed, only the owner of a workspace creates another one. */
async function expectOwnersOnly(owner: string, workspace_id: number) {
  const create = (token: string) =>
    system.request("POST", "/api/workspaces", { token, body: { name: "Another" } })
  const invitation = { email: "admin@example.com", role: "admin" }
  const path = `/api/workspaces/${workspace_id}/invitations`
  const { data } = await system.send(path, invitation, owner)
  const admin = await accept({ token: data.token, password, name: "Admin" })
  expect((await create(admin.body.data.token)).status).toBe(403)
  expect((await create(owner)).status).toBe(201)
}

/** In this order: the instance is empty until the invitation is accepted. */
describe("npm run invite-owner", () => {
  test.each([
    ["no address", []],
    ["an invalid address", ["--email", "ada"]],
    ["an unknown option", ["--mail", email]],
  ])("exits 2 on %s", async (_what, options) => {
    const { code, output } = await runInviteOwner(system.data_dir, options)
    expect(code).toBe(2)
    expect(lastLineOf(output)).toBe("npm run invite-owner -- --email ADDRESS")
  })

  test("replaces an invitation that was not accepted, by another address", async () => {
    const first = await invite("adda@example.com")
    const second = await invite(email)
    expect([first.code, second.code]).toEqual([0, 0])
    const [lost, token] = [lastLineOf(first.output), lastLineOf(second.output)]
    expect([lost, token]).toEqual([expect.stringMatching(/^affi_\w+$/), expect.any(String)])
    expect(token).not.toBe(lost)

    expect((await accept({ token: lost, password })).status).toBe(400)
    const [{ workspaces }] = await system.sql<[{ workspaces: string }]>`
      select count(*) as workspaces
      from identity.workspaces
    `
    expect(workspaces).toBe("1")
  })

  test("prints a token, alone on the last line, that makes an owner once", async () => {
    const signUp = { email, password, name: "Ada" }
    expect((await system.request("POST", "/api/auth/sign-up", { body: signUp })).status).toBe(403)

    const { output } = await invite(email)
    const accepted = await accept({ token: lastLineOf(output), password, name: "Ada" })
    expect(accepted).toMatchObject({ status: 200, body: { data: { user: { email } } } })
    const { token, workspace } = accepted.body.data
    expect(await system.read("/api/auth/session", token)).toMatchObject({
      data: { memberships: [{ workspace, role: "owner", status: "active" }] },
    })
    const shop = await system.send("/api/advertiser/affiliate-programs", { name: "Shop" }, token)
    expect(shop.data.workspace_id).toBe(workspace.id)
    const log = await system.read(`/api/workspaces/${workspace.id}/audit-log`, token)
    expect(log.data.at(-1)).toMatchObject({
      action: "invitation.create",
      actor: { kind: "system" },
      details: { role: "owner" },
    })
    expect((await accept({ token: lastLineOf(output), password })).status).toBe(400)
    await expectOwnersOnly(token, workspace.id)
  })

  test("exits 1 where an account exists, and stores nothing", async () => {
    const { code, output } = await invite("bea@example.com")
    expect(code).toBe(1)
    expect(output).toBe("This instance has an account: its owners send the invitations.\n")
  })
})

test(
  "An owner's invitation ends as soon as anyone has signed up",
  async () => {
    const open = await launchOwnSystem()
    const { output } = await runInviteOwner(open.data_dir, ["--email", email])
    const signUp = { email: "bea@example.com", password, name: "Bea" }
    expect((await open.request("POST", "/api/auth/sign-up", { body: signUp })).status).toBe(201)
    const invitation = { token: lastLineOf(output), password }
    const { status } = await open.request("POST", "/api/auth/accept-invitation", {
      body: invitation,
    })
    expect(status).toBe(400)
    await open.stop()
  },
  TIMEOUT_MS,
)
