import { describe, expect, test } from "bun:test"
import { mintToken } from "../../../lib/token"
import { newEmail } from "../../support/partner-account"
import { newOwner, newPartner, newProgram } from "../../support/program"
import { send, sql } from "../../support/world"

const show = (body: unknown) => send("POST", "/api/auth/show-invitation", { body })
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

async function newInvitation(fields: object = {}) {
  const owner = await newOwner()
  const { body } = await send("POST", `/api/workspaces/${owner.workspace_id}/invitations`, {
    token: owner.session,
    body: { email: newEmail(), role: "admin", ...fields },
  })
  return { ...owner, ...(body.data as { id: number; token: string; email: string }) }
}

describe("POST /api/auth/show-invitation", () => {
  test("says who invites a member to which workspace, and keeps the token", async () => {
    const { token, email } = await newInvitation({ role: "billing" })
    const shown = {
      kind: "member",
      email,
      workspace_name: "Owner's workspace",
      role: "billing",
      program_name: null,
      invited_by_name: "Owner",
      expires_at: expect.stringMatching(TIME),
    }
    for (const _again of [1, 2]) expect((await show({ token })).body).toEqual({ data: shown })
    const accepted = await send("POST", "/api/auth/accept-invitation", {
      body: { token, password: "correct horse battery" },
    })
    expect(accepted.status).toBe(200)
  })

  test("says which program invites a partner", async () => {
    const program = await newProgram({ name: "Acme shop" })
    const email = newEmail()
    const { partner_id } = await newPartner(program, { email, name: "Only the advertiser sees it" })
    const invite = `${program.path}/partners/${partner_id}/invite`
    const { token } = (await send("POST", invite, { token: program.session })).body.data
    const { status, body } = await show({ token })
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        data: {
          kind: "partner",
          email,
          workspace_name: "Owner's workspace",
          role: null,
          program_name: "Acme shop",
          invited_by_name: null,
          expires_at: expect.stringMatching(TIME),
        },
      },
    })
  })

  test.each<[string, () => Promise<unknown>]>([
    ["no JSON object", async () => []],
    ["no token", async () => ({})],
    ["a token that is not text", async () => ({ token: 1 })],
    ["a token of another kind", async () => ({ token: mintToken("affs_") })],
    ["an unknown token", async () => ({ token: mintToken("affi_") })],
    [
      "a used one",
      async () => {
        const { token } = await newInvitation()
        await send("POST", "/api/auth/accept-invitation", {
          body: { token, password: "correct horse battery" },
        })
        return { token }
      },
    ],
    [
      "an expired one",
      async () => {
        const { id, token } = await newInvitation()
        await sql`update identity.invitations set expires_at = now() where id = ${id}`
        return { token }
      },
    ],
    [
      "a withdrawn one",
      async () => {
        const { id, token, session, workspace_id } = await newInvitation()
        const path = `/api/workspaces/${workspace_id}/invitations/${id}`
        await send("DELETE", path, { token: session })
        return { token }
      },
    ],
    [
      "one whose sender may no longer invite",
      async () => {
        const { token, user_id } = await newInvitation()
        await sql`update identity.memberships set role = 'analyst' where user_id = ${user_id}`
        return { token }
      },
    ],
  ])("400: %s", async (_why, bodyOf) => {
    const reply = await show(await bodyOf())
    expect(reply).toMatchObject({ status: 400, body: { error: expect.any(String) } })
  })
})
