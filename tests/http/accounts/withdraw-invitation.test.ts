import { beforeAll, describe, expect, test } from "bun:test"
import { entriesWrittenBy } from "../../support/audit-log"
import { columnsContaining } from "../../support/columns"
import { refusesBadCredentials } from "../../support/credentials"
import { newMember } from "../../support/member"
import { newOwner, type Owner } from "../../support/program"
import { send, sql } from "../../support/world"

let owner: Owner
beforeAll(async () => {
  owner = await newOwner()
})

let count = 0
const newEmail = () => `invitee-${process.pid}-${Date.now()}-${++count}@people.example`
const pathOf = ({ workspace_id }: Pick<Owner, "workspace_id">) =>
  `/api/workspaces/${workspace_id}/invitations`
const invite = async (of: Owner, role = "analyst", email = newEmail()) =>
  (await send("POST", pathOf(of), { token: of.session, body: { email, role } })).body.data
const list = (of: Owner, token = of.session, query = "") =>
  send("GET", pathOf(of) + query, { token })
const withdraw = (of: Owner, id: unknown, token = of.session) =>
  send("DELETE", `${pathOf(of)}/${id}`, { token })
const accept = (token: string) =>
  send("POST", "/api/auth/accept-invitation", {
    body: { token, password: "correct horse battery", name: "Invitee" },
  })

describe("GET /api/workspaces/:id/invitations", () => {
  refusesBadCredentials("GET", pathOf)

  test("lists the pending ones, without their tokens", async () => {
    const of = await newOwner()
    const [first, expired, accepted] = [
      await invite(of),
      await invite(of, "billing"),
      await invite(of, "admin"),
    ]
    await sql`
      update identity.invitations
      set expires_at = now() - interval '1 second'
      where id = ${expired.id}
    `
    expect((await accept(accepted.token)).status).toBe(200)

    const { body } = await list(of)
    expect(body.meta.pagination).toMatchObject({ total: 2 })
    const shown = {
      invited_by: of.user_id,
      invited_by_name: "Owner",
      created_at: expect.any(String),
      expires_at: expect.any(String),
    }
    expect(body.data).toEqual([
      { ...shown, id: first.id, email: first.email, role: "analyst", has_expired: false },
      { ...shown, id: expired.id, email: expired.email, role: "billing", has_expired: true },
    ])
    expect((await list(of, of.session, "?page=2&pageSize=1")).body.data).toHaveLength(1)
    expect((await list(of, of.session, "?pageSize=0")).status).toBe(400)
  })
})

describe("DELETE /api/workspaces/:id/invitations/:invitationId", () => {
  refusesBadCredentials("DELETE", ({ workspace_id }) => `${pathOf({ workspace_id })}/1`)

  test("ends the token, and keeps no address", async () => {
    const of = await newOwner()
    const { id, token, email } = await invite(of)
    const entries = await entriesWrittenBy(of, async () => {
      expect(await withdraw(of, id)).toMatchObject({ status: 200, body: { data: {} } })
    })
    expect(entries).toMatchObject([
      {
        action: "invitation.withdraw",
        subject: { type: "invitation", id },
        details: { role: "analyst" },
      },
    ])
    expect((await accept(token)).status).toBe(400)
    expect((await list(of)).body.data).toEqual([])
    expect(await columnsContaining(sql, email)).toEqual([])
    expect((await withdraw(of, id)).status).toBe(404)
    expect((await invite(of, "analyst", email)).token).toMatch(/^affi_/)
  })

  test("either ends the invitation or comes too late, when it is accepted at the same time", async () => {
    for (let round = 0; round < 5; round++) {
      const of = await newOwner()
      const { id, token } = await invite(of)
      const [withdrawn, accepted] = await Promise.all([withdraw(of, id), accept(token)])
      const outcome = [withdrawn.status, accepted.status]
      expect([
        [200, 400],
        [404, 200],
      ]).toContainEqual(outcome)
      const members = await send("GET", `/api/workspaces/${of.workspace_id}/members`, {
        token: of.session,
      })
      expect(members.body.data).toHaveLength(accepted.status === 200 ? 2 : 1)
    }
  })

  test.each<[number, string, () => Promise<[unknown, string]>]>([
    [200, "an admin", async () => [(await invite(owner)).id, await newMember(owner, "admin")]],
    [
      403,
      "an admin, of an owner's invitation",
      async () => [(await invite(owner, "owner")).id, await newMember(owner, "admin")],
    ],
    [403, "an analyst", async () => ["abc", await newMember(owner, "analyst")]],
    [404, "a stranger", async () => [(await invite(owner)).id, (await newOwner()).session]],
    [404, "another workspace's", async () => [(await invite(await newOwner())).id, owner.session]],
    [404, "an invalid id", async () => ["abc", owner.session]],
  ])("%i: %s", async (status, _who, of) => {
    const [id, token] = await of()
    expect((await withdraw(owner, id, token)).status).toBe(status)
  })
})
