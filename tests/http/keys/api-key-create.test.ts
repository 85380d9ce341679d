import { beforeAll, describe, expect, test } from "bun:test"
import { hashOf } from "../../../lib/token"
import { refusesBadCredentials } from "../../support/credentials"
import { KEYS, newKey } from "../../support/key"
import { newMember } from "../../support/member"
import { newOwner, newProgram, newProgramOf, type TestProgram } from "../../support/program"
import { send, sql } from "../../support/world"

let program: TestProgram
let foreign: TestProgram
beforeAll(async () => {
  program = await newProgram()
  foreign = await newProgram()
})

const create = (body: unknown, token = program.session, headers = {}) =>
  send("POST", KEYS, { token, body, headers })
const keysOf = ({ workspace_id }: { workspace_id: number }) => sql`
  select id
  from identity.api_keys
  where workspace_id = ${workspace_id}
  order by id
`

describe("POST /api/advertiser/api-keys", () => {
  test("creates a key with every scope and shows it once", async () => {
    const { status, body } = await create({ name: "CI" })
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        data: {
          id: expect.any(Number),
          name: "CI",
          prefix: body.data.key.slice(0, 13),
          key: expect.stringMatching(/^affk_[0-9A-Za-z]{38}$/),
          key_masked: `${body.data.key.slice(0, 13)}****${body.data.key.slice(-4)}`,
          scopes: ["*"],
          program_scope: null,
          expires_at: null,
          status: "active",
          created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
          last_used_at: null,
        },
      },
    })
    const { key, ...shown } = body.data
    const listed = await send("GET", KEYS, { token: program.session })
    expect(listed.body.data).toContainEqual(shown)
    expect(JSON.stringify(listed.body)).not.toContain(key)

    const [stored] = await sql`
      select key_hash, api_keys::text as everything
      from identity.api_keys
      where id = ${shown.id}
    `
    expect(stored?.key_hash).toBe(hashOf(key))
    expect(stored?.everything).not.toContain(key)
  })

  test("limits the key to the given scopes and programs, each listed once", async () => {
    const { status, body } = await create({
      name: "Narrow",
      scopes: ["program:read", "dashboard:view", "program:read"],
      program_scope: [`${program.program_id}`, program.program_id],
      expires_at: "2999-12-31T23:59:59+02:00",
    })
    expect({ status, data: body.data }).toMatchObject({
      status: 201,
      data: {
        scopes: ["program:read", "dashboard:view"],
        program_scope: [`${program.program_id}`],
        expires_at: "2999-12-31T21:59:59.000Z",
      },
    })
  })

  test.each<[string, object, object]>([
    ["no scope at all", { scopes: [] }, { scopes: [] }],
    ["no program at all", { program_scope: [] }, { program_scope: [] }],
    ["a day", { expires_at: "2999-01-01" }, { expires_at: "2999-01-01T00:00:00.000Z" }],
    ["null for no expiry", { expires_at: null, program_scope: null }, { expires_at: null }],
    ["unknown fields", { status: "revoked", id: 7, workspace_id: 1 }, { status: "active" }],
  ])("accepts %s", async (_what, fields, shown) => {
    const { status, body } = await create({ name: "Key", ...fields })
    expect({ status, data: body.data }).toMatchObject({ status: 201, data: shown })
  })

  test("creates the key in the named workspace, or else in the oldest", async () => {
    const token = await newMember(program, "admin")
    const named = { "x-workspace-id": `${program.workspace_id}` }
    const { body } = await create({ name: "Named" }, token, named)
    expect(await keysOf(program)).toContainEqual({ id: body.data.id })
    const other = await create({ name: "Unnamed" }, token)
    expect(await keysOf(program)).not.toContainEqual({ id: other.body.data.id })
  })

  refusesBadCredentials("POST", () => KEYS)

  describe("refuses", () => {
    const member = (role: string, status?: string) => () => newMember(program, role, status)
    const here = () => ({ "x-workspace-id": `${program.workspace_id}` })
    const there = () => ({ "x-workspace-id": `${foreign.workspace_id}` })
    const own = () => program.session

    test.each<[number, string, () => string | Promise<string>, () => object]>([
      [401, "a key with every scope", async () => (await newKey(program)).key, here],
      [404, "a foreign workspace", own, there],
      [404, "an unknown workspace", own, () => ({ "x-workspace-id": "9007199254740991" })],
      [404, "a workspace that is not a number", own, () => ({ "x-workspace-id": "mine" })],
      [403, "an analyst", member("analyst"), here],
      [403, "a billing member", member("billing"), here],
      [403, "a suspended owner", member("owner", "suspended"), here],
    ])("%i: %s", async (status, _why, token, headers) => {
      const reply = await create("{", await token(), {
        ...headers(),
        "content-type": "application/json",
      })
      expect(reply).toMatchObject({ status, body: { error: expect.any(String) } })
    })

    test.each<[string, () => object]>([
      ["no name", () => ({ name: undefined })],
      ["an empty name", () => ({ name: "" })],
      ["a blank name", () => ({ name: "  " })],
      ["a name of 256 characters", () => ({ name: "n".repeat(256) })],
      ["a name that is null", () => ({ name: null })],
      ["scopes that are text", () => ({ scopes: "*" })],
      ["scopes that are null", () => ({ scopes: null })],
      ["an unknown scope", () => ({ scopes: ["program:read", "program:fly"] })],
      ["a scope of a session", () => ({ scopes: ["tracking:list"] })],
      ["a scope that is a number", () => ({ scopes: [1] })],
      ["programs that are text", () => ({ program_scope: `${program.program_id}` })],
      ["a program that is not a number", () => ({ program_scope: ["shop"] })],
      ["a program id of zero", () => ({ program_scope: [0] })],
      ["a program that does not exist", () => ({ program_scope: ["900719925474099"] })],
      [
        "a program id above the largest integer",
        () => ({ program_scope: ["99999999999999999999"] }),
      ],
      ["another workspace's program", () => ({ program_scope: [foreign.program_id] })],
      ["a time in the past", () => ({ expires_at: "2020-01-01T00:00:00Z" })],
      ["the current time", () => ({ expires_at: new Date().toISOString() })],
      ["a time that does not exist", () => ({ expires_at: "2999-02-30T00:00:00Z" })],
      ["a time without an offset", () => ({ expires_at: "2999-01-01T12:00" })],
      ["a time that is a number", () => ({ expires_at: 4_000_000_000 })],
      ["a time that is empty", () => ({ expires_at: "" })],
    ])("400: %s", async (_why, fields) => {
      const before = await keysOf(program)
      expect(await create({ name: "Key", ...fields() })).toMatchObject({
        status: 400,
        body: { error: expect.any(String) },
      })
      expect(await keysOf(program)).toEqual(before)
    })

    test("403: a member of no workspace", async () => {
      const user = await newOwner()
      await sql`delete from identity.memberships where user_id = ${user.user_id}`
      expect((await create({ name: "Key" }, user.session)).status).toBe(403)
    })
  })

  test("an admin's key may do no more than an admin", async () => {
    const admin = await newMember(program, "admin")
    const { body } = await create({ name: "Key" }, admin, {
      "x-workspace-id": `${program.workspace_id}`,
    })
    const { path } = await newProgramOf(program)
    const { key: token } = body.data
    expect((await send("PUT", path, { token, body: { name: "Renamed" } })).status).toBe(200)
    expect((await send("DELETE", path, { token })).status).toBe(403)
    const { key } = await newKey(program)
    expect((await send("DELETE", path, { token: key })).status).toBe(200)
  })
})
