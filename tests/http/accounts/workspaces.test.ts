import { beforeAll, describe, expect, test } from "bun:test"
import { entriesWrittenBy } from "../../support/audit-log"
import { refusesBadCredentials } from "../../support/credentials"
import { newKey } from "../../support/key"
import { newMember, newMemberOnly } from "../../support/member"
import { newOwner, newProgram, type Owner } from "../../support/program"
import { send, sql } from "../../support/world"

let owner: Owner
beforeAll(async () => {
  owner = await newOwner()
})

const membershipsOf = async (token: string) =>
  (await send("GET", "/api/auth/session", { token })).body.data.memberships
const create = (token: string, body: unknown = { name: "Second" }) =>
  send("POST", "/api/workspaces", { token, body })
const rename = (workspace_id: unknown, token: string, body: unknown = { name: "Renamed" }) =>
  send("PUT", `/api/workspaces/${workspace_id}`, { token, body })

const BAD_NAMES = [undefined, null, 7, "", "   ", "x".repeat(256), "a\0b"]

describe("POST /api/workspaces", () => {
  refusesBadCredentials("POST", () => "/api/workspaces")

  test("makes the caller the owner, and leaves their default workspace", async () => {
    const of = await newOwner()
    const name = "<script>alert(1)</script> \u202e🦀"
    const { status, body } = await create(of.session, { name, id: 1 })
    expect(status).toBe(201)
    expect(body.data).toEqual({ id: expect.any(Number), name })
    expect(await membershipsOf(of.session)).toMatchObject([
      { workspace: { id: of.workspace_id } },
      { workspace: body.data, role: "owner", status: "active" },
    ])
    const { data } = (
      await send("GET", `/api/workspaces/${body.data.id}/audit-log`, { token: of.session })
    ).body
    expect(data).toMatchObject([{ action: "workspace.create", details: { name } }])
    const programs = "/api/advertiser/affiliate-programs"
    const program = await send("POST", programs, { token: of.session, body: { name: "P" } })
    expect(program.body.data.workspace_id).toBe(of.workspace_id)
  })

  test.each(BAD_NAMES)("400: the name is %p", async name => {
    expect((await create(owner.session, { name })).status).toBe(400)
    expect(await membershipsOf(owner.session)).toHaveLength(1)
  })

  test("401: a key", async () => {
    expect((await create((await newKey(owner)).key)).status).toBe(401)
  })
})

describe("PUT /api/workspaces/:id", () => {
  refusesBadCredentials("PUT", ({ workspace_id }) => `/api/workspaces/${workspace_id}`)

  test("renames it, for each of its members", async () => {
    const of = await newOwner()
    const admin = await newMember(of, "admin")
    const entries = await entriesWrittenBy(of, async () => {
      const renamed = await rename(of.workspace_id, admin)
      expect(renamed).toMatchObject({
        status: 200,
        body: { data: { id: of.workspace_id, name: "Renamed" } },
      })
      await rename(of.workspace_id, admin) // changes nothing
    })
    expect(entries).toMatchObject([
      {
        action: "workspace.update",
        subject: { type: "workspace", id: of.workspace_id },
        details: { name: "Renamed" },
      },
    ])
    expect((await membershipsOf(of.session))[0].workspace.name).toBe("Renamed")
  })

  test.each(BAD_NAMES)("400: the name is %p", async name => {
    expect((await rename(owner.workspace_id, owner.session, { name })).status).toBe(400)
  })

  test.each<[number, string, () => Promise<string>]>([
    [403, "an analyst", () => newMember(owner, "analyst")],
    [403, "a billing member", () => newMember(owner, "billing")],
    [404, "a suspended owner", () => newMember(owner, "owner", "suspended")],
    [404, "a stranger", async () => (await newOwner()).session],
    [401, "a key", async () => (await newKey(owner)).key],
  ])("%i: %s", async (status, _who, token) => {
    expect((await rename(owner.workspace_id, await token())).status).toBe(status)
  })

  test.each(["abc", "0", "9007199254740991"])("404: the workspace is %s", async id => {
    expect((await rename(id, owner.session)).status).toBe(404)
  })
})

describe("DELETE /api/workspaces/:id/members/:userId", () => {
  refusesBadCredentials(
    "DELETE",
    ({ workspace_id, user_id }) => `/api/workspaces/${workspace_id}/members/${user_id}`,
  )

  const remove = (of: Owner, user_id: unknown, token = of.session) =>
    send("DELETE", `/api/workspaces/${of.workspace_id}/members/${user_id}`, { token })
  const userOf = async (token: string): Promise<number> =>
    (await send("GET", "/api/auth/session", { token })).body.data.user.id

  test("ends their access and their keys with the reply, and lets them be invited again", async () => {
    const program = await newProgram()
    const session = await newMemberOnly(program, "admin")
    const { user } = (await send("GET", "/api/auth/session", { token: session })).body.data
    const { key } = await newKey({ ...program, session })
    const own = await newKey(program)
    const read = async (token: string) => (await send("GET", program.path, { token })).status
    expect([await read(session), await read(key)]).toEqual([200, 200])

    const entries = await entriesWrittenBy(program, async () => {
      const removed = await remove(program, user.id)
      expect(removed).toMatchObject({ status: 200, body: { data: {} } })
    })
    expect([await read(session), await read(key), await read(own.key)]).toEqual([404, 401, 200])
    expect(entries).toMatchObject([
      {
        action: "member.remove",
        subject: { type: "member", id: user.id },
        details: { role: "admin" },
      },
      { action: "api_key.revoke", details: { status: "revoked" } },
    ])
    expect((await remove(program, user.id)).status).toBe(404)

    const path = `/api/workspaces/${program.workspace_id}/invitations`
    const body = { email: user.email, role: "analyst" }
    expect((await send("POST", path, { token: program.session, body })).status).toBe(201)
  })

  test("409: the last active owner stays", async () => {
    const of = await newOwner()
    await newMember(of, "owner", "suspended")
    expect((await remove(of, of.user_id)).status).toBe(409)
    expect((await send("GET", "/api/auth/session", { token: of.session })).body.data).toMatchObject(
      {
        memberships: [{ role: "owner", status: "active" }],
      },
    )
  })

  test("keeps an active owner when owners race to remove each other", async () => {
    for (let round = 0; round < 5; round++) {
      const one = await newOwner()
      const two = await newMember(one, "owner")
      const statuses = await Promise.all([
        remove(one, one.user_id, two),
        remove(one, await userOf(two)),
      ])
      const [done, refused] = statuses.map(({ status }) => status).sort()
      expect(done).toBe(200)
      expect([403, 404]).toContain(refused!) // 403: the first removal came after the second was admitted
      const owners = await sql`
        select user_id
        from identity.memberships
        where workspace_id = ${one.workspace_id} and role = 'owner' and status = 'active'
      `
      expect(owners).toHaveLength(1)
    }
  })

  test.each<[number, string, () => Promise<[unknown, string]>]>([
    [403, "an admin, for an owner", async () => [owner.user_id, await newMember(owner, "admin")]],
    [403, "an analyst", async () => [owner.user_id, await newMember(owner, "analyst")]],
    [403, "a billing member", async () => ["abc", await newMember(owner, "billing")]],
    [404, "a stranger", async () => [owner.user_id, (await newOwner()).session]],
    [404, "an unknown member", async () => [(await newOwner()).user_id, owner.session]],
    [401, "a key", async () => [owner.user_id, (await newKey(owner)).key]],
  ])("%i: %s", async (status, _who, of) => {
    const [user_id, token] = await of()
    expect((await remove(owner, user_id, token)).status).toBe(status)
  })
})
