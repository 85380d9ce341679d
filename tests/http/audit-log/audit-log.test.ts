import { beforeAll, describe, expect, test } from "bun:test"
import { auditLogPath, countEntries, listAuditLog } from "../../support/audit-log"
import { refusesBadCredentials } from "../../support/credentials"
import { newKey } from "../../support/key"
import { newMember } from "../../support/member"
import { newOwner, newPartner, newProgram, type TestProgram } from "../../support/program"
import { send, sql } from "../../support/world"

let program: TestProgram
beforeAll(async () => {
  program = await newProgram()
})

describe("GET /api/workspaces/:id/audit-log", () => {
  refusesBadCredentials("GET", auditLogPath)

  test.each([
    [200, "owner", "active"],
    [200, "admin", "active"],
    [403, "analyst", "active"],
    [403, "billing", "active"],
    [404, "owner", "suspended"],
  ])("%i: %s, %s", async (status, role, memberStatus) => {
    const session = await newMember(program, role, memberStatus)
    expect((await listAuditLog({ ...program, session })).status).toBe(status)
  })

  test.each<[number, string, () => Promise<string>, string]>([
    [401, "a key", async () => (await newKey(program)).key, ""],
    [404, "another workspace's owner", async () => (await newOwner()).session, ""],
    [400, "an invalid page", async () => program.session, "?page=0"],
    [400, "too large a page size", async () => program.session, "?pageSize=101"],
  ])("%i: %s", async (status, _why, session, query) => {
    const reply = await listAuditLog({ ...program, session: await session() }, query)
    expect(reply).toMatchObject({ status, body: { error: expect.any(String) } })
  })

  test("is newest first, and its pages neither repeat nor skip", async () => {
    const owner = await newProgram()
    for (let i = 0; i < 3; i++) await newPartner(owner)
    await newKey(owner)
    const { data, meta } = (await listAuditLog(owner, "?pageSize=100")).body
    expect(meta.pagination).toEqual({ page: 1, pageSize: 100, pageCount: 1, total: 6 })
    const times = data.map(({ at }: { at: string }) => at)
    expect(times).toEqual(times.toSorted().toReversed())

    const pages = await Promise.all(
      [1, 2, 3].map(
        async page => (await listAuditLog(owner, `?pageSize=2&page=${page}`)).body.data,
      ),
    )
    expect(pages.flat()).toEqual(data)
  })

  test("has each entry once when many requests race", async () => {
    const owner = await newProgram()
    const requests = Array.from({ length: 6 }, async () => {
      await newPartner(owner)
      return listAuditLog(owner)
    })
    await Promise.all(requests)
    expect(await countEntries(owner)).toBe(1 + 1 + 6)
  })

  test("shows its freshness when a service does not reply", async () => {
    const owner = await newProgram()
    await countEntries(owner)
    await sql.begin(async sql => {
      await sql`lock table tracking.audit_entries in access exclusive mode`
      const { status, body } = await listAuditLog(owner)
      expect(status).toBe(200)
      expect(body.data).toHaveLength(2)
      expect(Date.parse(body.meta.appliedUntil)).toBeGreaterThan(0)
    })
    expect((await listAuditLog(owner)).body.meta.appliedUntil).toBeUndefined()
  })

  test("shows no secrets and no e-mail addresses", async () => {
    const { key } = await newKey(program)
    const post = (path: string, body?: object) =>
      send("POST", path, { token: program.session, body })
    const renewed = await post(`${program.path}/regenerate-api-token`)
    const email = "canary@people.example"
    const invitation = { email, role: "analyst" }
    const invited = await post(`/api/workspaces/${program.workspace_id}/invitations`, invitation)
    const created = await post(`${program.path}/partners`, { email, name: "Canary" })
    const bound = await post(`${program.path}/partners/${created.body.data.partner_id}/invite`)
    const tokens = [
      renewed.body.data.api_token,
      invited.body.data.token,
      bound.body.data.token,
      key,
    ]
    for (const token of tokens) expect(token).toMatch(/^aff[ki]?_\w{38}$/)

    const text = JSON.stringify((await listAuditLog(program, "?pageSize=100")).body)
    expect(text).toContain("api_key.create")
    expect(text).not.toMatch(/aff[kis]?_\w{38}|canary|@/i)
  })
})

describe("no service may", () => {
  test.each(["identity", "tracking", "commissions"])("change or delete entries: %s", async name => {
    const [database] = await sql<[{ name: string }]>`select current_database() as name`
    for (const statement of [
      `update ${name}.audit_entries set action = 'other'`,
      `delete from ${name}.audit_entries`,
      `truncate ${name}.audit_entries`,
    ]) {
      const attempt = sql.begin(async sql => {
        await sql.unsafe(`set local role ${database.name}_${name}`)
        await sql.unsafe(statement)
      })
      await expect(attempt).rejects.toMatchObject({ code: "42501" }) // insufficient_privilege
    }
  })
})
