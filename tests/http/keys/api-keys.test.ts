import { beforeAll, describe, expect, test } from "bun:test"
import { refusesBadCredentials } from "../../support/credentials"
import { KEYS, newExpiredKey, newKey, newRevokedKey } from "../../support/key"
import { newMember } from "../../support/member"
import { newProgram, newProgramOf, type TestProgram } from "../../support/program"
import { send, sql } from "../../support/world"

const PROGRAMS = "/api/advertiser/affiliate-programs"
let program: TestProgram
let second: TestProgram
let foreign: TestProgram
beforeAll(async () => {
  program = await newProgram()
  second = await newProgramOf(program)
  foreign = await newProgram()
})

const get = (path: string, token: string, headers = {}) => send("GET", path, { token, headers })
const put = (id: number, token: string, body: unknown) =>
  send("PUT", `${KEYS}/${id}`, { token, body })
const remove = (id: number, token: string) => send("DELETE", `${KEYS}/${id}`, { token })
const everything = (id: number) => sql`select * from identity.api_keys where id = ${id}`
const only = ({ program_id }: TestProgram, scopes = ["*"]) => ({
  scopes,
  program_scope: [program_id],
})

describe("a key", () => {
  test("works from its creation until it is revoked", async () => {
    const { id, key } = await newKey(program)
    expect((await get(program.path, key)).status).toBe(200)
    expect((await remove(id, program.session)).body.data).toMatchObject({ id, status: "revoked" })
    expect((await get(program.path, key)).status).toBe(401)
  })

  test("is refused once it has expired by the database's clock", async () => {
    const { id, key } = await newKey(program)
    await sql`update identity.api_keys set expires_at = now() + '1 hour' where id = ${id}`
    expect((await get(program.path, key)).status).toBe(200)
    await sql`update identity.api_keys set expires_at = now() where id = ${id}`
    expect((await get(program.path, key)).status).toBe(401)
    const listed = await get(`${KEYS}?pageSize=100`, program.session)
    expect(listed.body.data).toContainEqual(expect.objectContaining({ id, status: "active" }))
  })

  test("records its use at most once a minute", async () => {
    const { id, key } = await newKey(program)
    const lastUse = async () => (await everything(id))[0]?.last_used_at
    expect(await lastUse()).toBeNull()
    await get(program.path, key)
    const first = await lastUse()
    expect(first).toBeInstanceOf(Date)
    await Promise.all([get(program.path, key), get(program.path, key)])
    expect(await lastUse()).toEqual(first)
    await sql`
      update identity.api_keys
      set last_used_at = now() - interval '61 seconds'
      where id = ${id}
    `
    await get(program.path, key)
    expect((await lastUse()).getTime()).toBeGreaterThanOrEqual(first.getTime())
  })

  test("of some programs sees only these and cannot create one", async () => {
    const { key } = await newKey(program, only(second))
    const listed = await get(PROGRAMS, key)
    expect(listed.body.meta.pagination.total).toBe(1)
    expect(listed.body.data).toMatchObject([{ id: second.program_id }])
    expect((await get(second.path, key)).status).toBe(200)
    expect((await get(program.path, key)).status).toBe(403)
    expect((await get(foreign.path, key)).status).toBe(404)
    const body = { name: "Another" }
    expect((await send("POST", PROGRAMS, { token: key, body })).status).toBe(403)
  })

  test("of no programs sees none", async () => {
    const { key } = await newKey(program, { program_scope: [] })
    expect((await get(PROGRAMS, key)).body).toMatchObject({
      data: [],
      meta: { pagination: { total: 0 } },
    })
    expect((await get(program.path, key)).status).toBe(403)
  })

  test("belongs to one workspace", async () => {
    const { key } = await newKey(program)
    const inWorkspace = (id: unknown) => get(PROGRAMS, key, { "x-workspace-id": `${id}` })
    expect((await inWorkspace(program.workspace_id)).status).toBe(200)
    expect((await inWorkspace(foreign.workspace_id)).status).toBe(404)
    expect((await inWorkspace("9007199254740991")).status).toBe(404)
  })

  test("keeps working when its creator is suspended: it belongs to the workspace", async () => {
    const admin = await newMember(program, "admin")
    const headers = { "x-workspace-id": `${program.workspace_id}` }
    const created = await send("POST", KEYS, { token: admin, body: { name: "Key" }, headers })
    await sql`
      update identity.memberships
      set status = 'suspended'
      where workspace_id = ${program.workspace_id} and role = 'admin'
    `
    expect((await get(program.path, created.body.data.key)).status).toBe(200)
  })
})

describe("GET /api/advertiser/api-keys", () => {
  test("lists masked keys by id, including revoked and expired ones", async () => {
    const owner = await newProgram()
    const created = [await newKey(owner), await newRevokedKey(owner), await newExpiredKey(owner)]
    const { status, body } = await get(KEYS, owner.session)
    expect(status).toBe(200)
    expect(body.meta.pagination).toEqual({ page: 1, pageSize: 10, pageCount: 1, total: 3 })
    expect(body.data).toMatchObject([
      { id: created[0]?.id, status: "active", key_masked: created[0]?.key_masked },
      { id: created[1]?.id, status: "revoked", prefix: created[1]?.prefix },
      { id: created[2]?.id, status: "active", expires_at: expect.any(String) },
    ])
    expect(Object.keys(body.data[0])).toEqual([
      "id",
      "name",
      "prefix",
      "key_masked",
      "scopes",
      "program_scope",
      "expires_at",
      "status",
      "created_at",
      "last_used_at",
    ])
    const secondPage = await get(`${KEYS}?page=2&pageSize=2`, owner.session)
    expect(secondPage.body.data).toMatchObject([{ id: created[2]?.id }])
  })

  test("hides keys of more programs from a key of some programs", async () => {
    const owner = await newProgram()
    await newKey(owner)
    const { id, key } = await newKey(owner, only(owner))
    expect((await get(KEYS, key)).body).toMatchObject({
      data: [{ id }],
      meta: { pagination: { total: 1 } },
    })
  })

  test.each(["page=0", "page=x", "pageSize=101", "pageSize=0"])("400: %s", async query => {
    expect((await get(`${KEYS}?${query}`, program.session)).status).toBe(400)
  })

  refusesBadCredentials("GET", () => KEYS)
})

describe.each(["PUT", "DELETE"])("%s /api/advertiser/api-keys/:id", method => {
  refusesBadCredentials(method, () => `${KEYS}/1`)

  test.each(["abc", "0", "-1", "9007199254740991"])("404: the id is %s", async id => {
    const token = program.session
    expect((await send(method, `${KEYS}/${id}`, { token, body: {} })).status).toBe(404)
  })

  const broken = '{"name": 7'
  const headers = { "content-type": "application/json" }

  test.each<[number, string, () => Promise<{ of: TestProgram; token: string; fields?: object }>]>([
    [404, "another workspace's session", async () => ({ of: foreign, token: program.session })],
    [
      404,
      "another workspace's key",
      async () => ({ of: foreign, token: (await newKey(program)).key }),
    ],
    [
      404,
      "a suspended owner",
      async () => ({ of: program, token: await newMember(program, "owner", "suspended") }),
    ],
    [403, "an analyst", async () => ({ of: program, token: await newMember(program, "analyst") })],
    [
      403,
      "a billing member",
      async () => ({ of: program, token: await newMember(program, "billing") }),
    ],
    [
      403,
      "a key with every scope but *",
      async () => ({
        of: program,
        token: (await newKey(program, { scopes: ["program:update", "program:delete"] })).key,
      }),
    ],
    [
      403,
      "a key of other programs",
      async () => ({
        of: program,
        token: (await newKey(program, only(second))).key,
        fields: only(program),
      }),
    ],
    [
      403,
      "a key of some programs, for a key of all programs",
      async () => ({ of: program, token: (await newKey(program, only(program))).key }),
    ],
  ])("%i: %s", async (status, _why, of) => {
    const { of: owner, token, fields } = await of()
    const { id } = await newKey(owner, fields)
    const before = await everything(id)
    const reply = await send(method, `${KEYS}/${id}`, { token, body: broken, headers })
    expect(reply).toMatchObject({ status, body: { error: expect.any(String) } })
    expect(await everything(id)).toEqual(before)
  })
})

describe("PUT /api/advertiser/api-keys/:id", () => {
  test("changes only the given fields", async () => {
    const { id, key } = await newKey(program, { scopes: ["program:read"] })
    expect((await put(id, program.session, { name: "Renamed" })).body.data).toMatchObject({
      id,
      name: "Renamed",
      scopes: ["program:read"],
      program_scope: null,
    })
    const program_scope = [second.program_id]
    expect((await put(id, program.session, { program_scope })).body.data.program_scope).toEqual([
      `${second.program_id}`,
    ])
    expect((await get(program.path, key)).status).toBe(403)
    const widened = await put(id, program.session, { scopes: ["*"], program_scope: null })
    expect(widened.body.data).toMatchObject({ scopes: ["*"], program_scope: null })
    expect((await get(program.path, key)).status).toBe(200)
    const { body } = await put(id, program.session, {
      id: 1,
      workspace_id: foreign.workspace_id,
      status: "revoked",
      expires_at: "2020-01-01T00:00:00Z",
      role: "owner",
    })
    expect(body.data).toMatchObject({ id, status: "active", expires_at: null })
  })

  test("lets a key of scope * change keys and itself within its own programs", async () => {
    const { id, key } = await newKey(program, only(program))
    const other = await newKey(program, only(program, ["program:read"]))
    expect((await put(other.id, key, { scopes: ["*"] })).status).toBe(200)
    expect((await put(id, key, { name: "Me" })).body.data.name).toBe("Me")
    for (const program_scope of [null, [second.program_id], [foreign.program_id]]) {
      expect((await put(id, key, { program_scope })).status).toBe(403)
      expect((await put(other.id, key, { program_scope })).status).toBe(403)
    }
    expect((await put(id, key, { program_scope: [] })).status).toBe(200)
    expect((await get(program.path, key)).status).toBe(403)
    expect((await put(id, key, { program_scope: [program.program_id] })).status).toBe(403)
  })

  test("scopes set by an admin are limited to an admin's, even on an owner's key", async () => {
    const admin = await newMember(program, "admin")
    const { id, key } = await newKey(program, { scopes: ["program:read"] })
    expect((await put(id, admin, { scopes: ["program:delete"] })).status).toBe(200)
    expect((await send("DELETE", program.path, { token: key })).status).toBe(403)
  })

  test.each<[string, () => object]>([
    ["not an object", () => []],
    ["an empty name", () => ({ name: "" })],
    ["a name that is null", () => ({ name: null })],
    ["an unknown scope", () => ({ scopes: ["all"] })],
    ["scopes that are null", () => ({ scopes: null })],
    ["a foreign program", () => ({ program_scope: [foreign.program_id] })],
    ["programs that are an object", () => ({ program_scope: {} })],
  ])("400: %s", async (_why, fields) => {
    const { id } = await newKey(program)
    const before = await everything(id)
    expect((await put(id, program.session, fields())).status).toBe(400)
    expect(await everything(id)).toEqual(before)
  })

  test("409: the key is revoked or has expired", async () => {
    for (const { id } of [await newRevokedKey(program), await newExpiredKey(program)]) {
      const before = await everything(id)
      expect((await put(id, program.session, { name: "Ghost" })).status).toBe(409)
      expect(await everything(id)).toEqual(before)
    }
  })
})

describe("DELETE /api/advertiser/api-keys/:id", () => {
  test("keeps the key for audit, even if it is repeated", async () => {
    const { id } = await newKey(program)
    const first = await remove(id, program.session)
    expect(first).toMatchObject({ status: 200, body: { data: { id, status: "revoked" } } })
    expect(await remove(id, program.session)).toMatchObject({ status: 200, body: first.body })
    expect((await remove((await newExpiredKey(program)).id, program.session)).status).toBe(200)
  })

  test("lets a key of scope * revoke itself", async () => {
    const { id, key } = await newKey(program, only(program))
    expect((await remove(id, key)).status).toBe(200)
    expect((await remove(id, key)).status).toBe(401)
  })
})
