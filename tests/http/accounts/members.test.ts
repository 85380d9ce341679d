import { beforeAll, describe, expect, test } from "bun:test"
import { refusesBadCredentials } from "../../support/credentials"
import { newKey } from "../../support/key"
import { newMember } from "../../support/member"
import { newOwner, newProgram, type Owner } from "../../support/program"
import { send, sql } from "../../support/world"

let owner: Owner
let foreign: Owner
beforeAll(async () => {
  owner = await newOwner()
  foreign = await newOwner()
})

const pathOf = ({ workspace_id }: Pick<Owner, "workspace_id">) =>
  `/api/workspaces/${workspace_id}/members`
const list = (of: Pick<Owner, "workspace_id">, token: string, query = "") =>
  send("GET", `${pathOf(of)}${query}`, { token })
const put = (of: Pick<Owner, "workspace_id">, user_id: unknown, token: string, body: unknown) =>
  send("PUT", `${pathOf(of)}/${user_id}`, {
    token,
    body,
    headers: { "content-type": "application/json" },
  })

/** Creates a member. Returns the session, the user id and the address. */
async function newMemberOf(of: Pick<Owner, "workspace_id">, role: string, status = "active") {
  const session = await newMember(of, role, status)
  const { user } = (await send("GET", "/api/auth/session", { token: session })).body.data
  return { session, user_id: user.id as number, email: user.email as string }
}

describe("GET /api/workspaces/:id/members", () => {
  test("lists members by user_id, including suspended ones", async () => {
    const of = await newOwner()
    const admin = await newMemberOf(of, "admin")
    const suspended = await newMemberOf(of, "billing", "suspended")
    const { status, body } = await list(of, of.session)
    expect(status).toBe(200)
    expect(body.meta.pagination).toEqual({ page: 1, pageSize: 10, pageCount: 1, total: 3 })
    const name = "Owner"
    expect(body.data).toEqual([
      { user_id: of.user_id, email: of.email, name, role: "owner", status: "active" },
      { user_id: admin.user_id, email: admin.email, name, role: "admin", status: "active" },
      {
        user_id: suspended.user_id,
        email: suspended.email,
        name,
        role: "billing",
        status: "suspended",
      },
    ])
    const second = await list(of, of.session, "?page=2&pageSize=2")
    expect(second.body.data).toMatchObject([{ user_id: suspended.user_id }])
  })

  refusesBadCredentials("GET", ({ workspace_id }) => pathOf({ workspace_id }))

  test.each<[number, string, () => string | Promise<string>]>([
    [200, "an admin", () => newMember(owner, "admin")],
    [200, "an analyst", () => newMember(owner, "analyst")],
    [403, "a billing member", () => newMember(owner, "billing")],
    [404, "a suspended owner", () => newMember(owner, "owner", "suspended")],
    [404, "a stranger", () => foreign.session],
    [401, "a key", async () => (await newKey(owner)).key],
  ])("%i: %s", async (status, _who, token) => {
    expect((await list(owner, await token())).status).toBe(status)
  })

  test.each(["page=0", "pageSize=101"])("400: %s", async query => {
    expect((await list(owner, owner.session, `?${query}`)).status).toBe(400)
  })

  test.each(["abc", "0", "9007199254740991"])("404: the workspace is %s", async id => {
    const path = `/api/workspaces/${id}/members`
    expect((await send("GET", path, { token: owner.session })).status).toBe(404)
  })
})

describe("PUT /api/workspaces/:id/members/:userId", () => {
  test("changes the given fields, effective from the next request", async () => {
    const program = await newProgram()
    const member = await newMemberOf(program, "admin")
    const read = async () => (await send("GET", program.path, { token: member.session })).status
    const rename = async () => {
      const body = { name: "Renamed" }
      return (await send("PUT", program.path, { token: member.session, body })).status
    }
    expect(await rename()).toBe(200)
    const changed = await put(program, member.user_id, program.session, { role: "analyst" })
    expect(changed).toMatchObject({
      status: 200,
      body: { data: { user_id: member.user_id, role: "analyst", status: "active" } },
    })
    expect([await read(), await rename()]).toEqual([200, 403])
    await put(program, member.user_id, program.session, { status: "suspended", user_id: 1 })
    expect([await read(), await rename()]).toEqual([404, 404])
    await put(program, member.user_id, program.session, { status: "active" })
    expect(await read()).toBe(200)
    const unchanged = await put(program, member.user_id, program.session, {})
    expect(unchanged.body.data).toMatchObject({ role: "analyst", status: "active" })
  })

  test("lets owners promote and demote owners", async () => {
    const of = await newOwner()
    const second = await newMemberOf(of, "admin")
    expect((await put(of, second.user_id, of.session, { role: "owner" })).status).toBe(200)
    expect((await put(of, of.user_id, second.session, { role: "billing" })).status).toBe(200)
    expect((await put(of, of.user_id, of.session, { role: "owner" })).status).toBe(403)
  })

  test("keeps an active owner when owners race to leave", async () => {
    for (let round = 0; round < 5; round++) {
      const one = await newOwner()
      const two = await newMemberOf(one, "owner")
      const leave = round % 2 ? { role: "admin" } : { status: "suspended" }
      const statuses = await Promise.all([
        put(one, one.user_id, one.session, leave),
        put(one, two.user_id, two.session, leave),
      ])
      expect(statuses.map(({ status }) => status).sort()).toEqual([200, 409])
    }
  })

  test("keeps an active owner when owners race to remove each other", async () => {
    for (let round = 0; round < 5; round++) {
      const one = await newOwner()
      const two = await newMemberOf(one, "owner")
      await Promise.all([
        put(one, two.user_id, one.session, { role: "analyst" }),
        put(one, one.user_id, two.session, { status: "suspended" }),
      ])
      const owners = await sql`
        select user_id
        from identity.memberships
        where workspace_id = ${one.workspace_id} and role = 'owner' and status = 'active'
      `
      expect(owners).toHaveLength(1)
    }
  })

  refusesBadCredentials(
    "PUT",
    ({ workspace_id, user_id }) => `${pathOf({ workspace_id })}/${user_id}`,
  )

  type Try = { token: string; user_id: unknown; body?: unknown }
  const broken = "{"

  test.each<[number, string, () => Promise<Try>]>([
    [401, "a key", async () => ({ token: (await newKey(owner)).key, user_id: owner.user_id })],
    [404, "a stranger", async () => ({ token: foreign.session, user_id: owner.user_id })],
    [
      404,
      "a suspended owner",
      async () => ({
        token: await newMember(owner, "owner", "suspended"),
        user_id: owner.user_id,
      }),
    ],
    [403, "an analyst, for an unknown user", async () => by("analyst", 9_007_199_254_740_991)],
    [403, "an analyst, for an invalid user id", async () => by("analyst", "abc")],
    [403, "an analyst, for a member", async () => by("analyst", owner.user_id)],
    [403, "a billing member", async () => by("billing", owner.user_id)],
    [
      404,
      "a user who is not a member",
      async () => ({ token: owner.session, user_id: foreign.user_id }),
    ],
    [404, "an invalid user id", async () => ({ token: owner.session, user_id: "abc" })],
    [403, "an admin, for an owner", async () => by("admin", owner.user_id)],
    [400, "invalid JSON", async () => ({ token: owner.session, user_id: owner.user_id })],
    [
      400,
      "an unknown role",
      async () => ({ token: owner.session, user_id: owner.user_id, body: { role: "root" } }),
    ],
    [
      400,
      "a role that is null",
      async () => ({ token: owner.session, user_id: owner.user_id, body: { role: null } }),
    ],
    [
      400,
      "revoke_keys that is text",
      async () => ({
        token: owner.session,
        user_id: owner.user_id,
        body: { status: "suspended", revoke_keys: "false" },
      }),
    ],
    [
      400,
      "an unknown status",
      async () => ({ token: owner.session, user_id: owner.user_id, body: { status: "gone" } }),
    ],
    [403, "an admin who promotes to owner", adminPromotesToOwner],
  ])("%i: %s", async (status, _why, of) => {
    const { token, user_id, body = broken } = await of()
    expect(await put(owner, user_id, token, body)).toMatchObject({
      status,
      body: { error: expect.any(String) },
    })
  })

  const by = async (role: string, user_id: unknown) => ({
    token: await newMember(owner, role),
    user_id,
  })

  async function adminPromotesToOwner() {
    const admin = await newMemberOf(owner, "admin")
    return { token: admin.session, user_id: admin.user_id, body: { role: "owner" } }
  }

  test.each([{ role: "admin" }, { status: "suspended" }])(
    "409: no active owner would be left: %p",
    async body => {
      const of = await newOwner()
      await newMember(of, "owner", "suspended")
      expect((await put(of, of.user_id, of.session, body)).status).toBe(409)
      expect((await list(of, of.session)).body.data[0]).toMatchObject({
        role: "owner",
        status: "active",
      })
    },
  )
})
