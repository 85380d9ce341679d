import { beforeAll, describe, expect, test } from "bun:test"
import { countEntries, entriesWrittenBy, listAuditLog } from "../../support/audit-log"
import { newSale, settle } from "../../support/books"
import { KEYS, newKey } from "../../support/key"
import { newMember, newMemberOnly } from "../../support/member"
import {
  newOwner,
  newPartner,
  newProgram,
  newProgramOf,
  type TestProgram,
} from "../../support/program"
import { send, sql } from "../../support/world"

const PROGRAMS = "/api/advertiser/affiliate-programs"
const PERCENT = { kind: "percent", rate_bps: 1_000 }
const SWEPT_WITHIN_MS = 30_000

let count = 0
const unique = (what: string) => `${what}-${process.pid}-${Date.now().toString(36)}-${++count}`
const email = () => `${unique("p")}@people.example`

let program: TestProgram
let group_id: number
let workspace: string
beforeAll(async () => {
  program = await newProgram()
  workspace = `/api/workspaces/${program.workspace_id}`
  const groups = await send("GET", `${program.path}/groups`, { token: program.session })
  group_id = groups.body.data[0].id
})

const call = (method: string, path: string, body?: unknown, token = program.session) =>
  send(method, path, { token, body, headers: { "content-type": "application/json" } })
/** Calls a route under the program's path. */
const own = (method: string, path = "", body?: unknown) => call(method, program.path + path, body)
const put = (body: unknown) => own("PUT", "", body)

const userOf = async (token: string): Promise<number> =>
  (await call("GET", "/api/auth/session", undefined, token)).body.data.user.id
const ids = { program: () => program.program_id, partner: () => program.partner_id }

/** Prepares a case. Returns the call to be tested. */
type Prepare = () => Promise<() => ReturnType<typeof call>>
/** `details`: the changed fields. `id`: the subject's id, or the reply's field that has it. */
type Case = [action: string, details: object, id: string | (() => number), prepare: Prepare]

const OF_PROGRAM: Case[] = [
  [
    "program.update",
    { cookie_window_days: 7, website_url: null },
    "id",
    async () => () => put({ cookie_window_days: 7, website_url: null, lead_auth: "browser" }),
  ],
  [
    "program.update",
    { website_url: "https://new.example", commission: PERCENT },
    "id",
    async () => () => put({ website_url: "https://new.example", commission: PERCENT }),
  ],
  [
    "program.go_live",
    { published_at: expect.any(String) },
    "id",
    async () => {
      await put({ website_url: "https://live.example" })
      return () => own("POST", "/go-live")
    },
  ],
  [
    "program.regenerate_token",
    { api_token_masked: expect.stringContaining("****") },
    ids.program,
    async () => async () => {
      const reply = await own("POST", "/regenerate-api-token")
      program.api_token = reply.body.data.api_token
      return reply
    },
  ],
  [
    "group.create",
    { name: "Gold", policy: PERCENT },
    "id",
    async () => () => own("POST", "/groups", { name: "Gold", policy: PERCENT }),
  ],
  [
    "group.update",
    { name: "Base", policy: PERCENT },
    "id",
    async () => () => own("PUT", `/groups/${group_id}`, { name: "Base", policy: PERCENT }),
  ],
  [
    "partner.create",
    { status: "approved", group_id: expect.any(Number) },
    "partner_id",
    async () => () => own("POST", "/partners", { email: email(), name: "Ada" }),
  ],
  [
    "partner.update",
    { status: "suspended" },
    "partner_id",
    async () => () =>
      own("PUT", `/partners/${program.partner_id}`, { status: "suspended", group_id }),
  ],
  [
    "partner.invite",
    { expires_at: expect.any(String) },
    ids.partner,
    async () => () => own("POST", `/partners/${program.partner_id}/invite`),
  ],
  [
    "link.create",
    { partner_id: expect.any(Number), code: expect.any(String), destination_url: null },
    "id",
    async () => () => own("POST", "/referral-links", { partner_id: program.partner_id }),
  ],
  [
    "link.update",
    { status: "inactive" },
    "id",
    async () => () =>
      own("PUT", `/referral-links/${program.link_id}`, {
        status: "inactive",
        destination_url: null,
      }),
  ],
  [
    "customer.erase",
    { erased_at: expect.any(String) },
    "id",
    async () => {
      const customer_key = unique("customer")
      await newSale(program, { customer_key })
      return () => own("DELETE", `/customers/${customer_key}`)
    },
  ],
]

const OF_WORKSPACE: Case[] = [
  [
    "api_key.create",
    {
      name: "Robot",
      key_masked: expect.stringContaining("****"),
      scopes: ["program:read"],
      program_scope: null,
      expires_at: null,
    },
    "id",
    async () => () => call("POST", KEYS, { name: "Robot", scopes: ["program:read"] }),
  ],
  [
    "api_key.update",
    { scopes: ["program:list"] },
    "id",
    async () => {
      const { id } = await newKey(program)
      return () => call("PUT", `${KEYS}/${id}`, { name: "Key", scopes: ["program:list"] })
    },
  ],
  [
    "api_key.revoke",
    { status: "revoked" },
    "id",
    async () => {
      const { id } = await newKey(program)
      return () => call("DELETE", `${KEYS}/${id}`)
    },
  ],
  [
    "invitation.create",
    { role: "billing", expires_at: expect.any(String) },
    "id",
    async () => () => call("POST", `${workspace}/invitations`, { email: email(), role: "billing" }),
  ],
  [
    "member.update",
    { status: "suspended" },
    "user_id",
    async () => {
      const user_id = await userOf(await newMember(program, "analyst"))
      const body = { role: "analyst", status: "suspended" }
      return () => call("PUT", `${workspace}/members/${user_id}`, body)
    },
  ],
]

describe("the audit log has one entry", () => {
  test.each([
    ...OF_PROGRAM.map(row => [...row, true] as const),
    ...OF_WORKSPACE.map(row => [...row, false] as const),
  ])("for %s: who, what and when", async (action, details, id, prepare, isOfProgram) => {
    const change = await prepare()
    let reply!: Awaited<ReturnType<typeof call>>
    const entries = await entriesWrittenBy(program, async () => {
      reply = await change()
    })
    expect(entries).toEqual([
      {
        id: expect.any(Number),
        at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        actor: { kind: "user", id: program.user_id, name: "Owner", address: expect.any(String) },
        action,
        subject: {
          type: action.split(".")[0],
          id: typeof id === "string" ? reply.body.data[id] : id(),
        },
        program_id: isOfProgram ? program.program_id : null,
        details,
        request_id: reply.headers.get("x-request-id"),
      },
    ])
    expect(entries[0].actor.address).toMatch(/^(127\.0\.0\.0|0:0:0::)$/) // truncated
    expect(Math.abs(Date.parse(entries[0].at) - Date.now())).toBeLessThan(60_000)
  })

  test.each([
    ["approve", "approve", { status: "approved" }],
    ["reject", "reject", { status: "rejected", reason: "fraud" }],
    ["mark-paid", "mark_paid", { status: "paid" }],
  ])("for a commission's %s, even if it is repeated", async (step, verb, details) => {
    const { commission_id } = await newSale(program)
    if (step === "mark-paid") await settle(program, commission_id, "approve")
    const entries = await entriesWrittenBy(program, async () => {
      await settle(program, commission_id, step, { reason: "fraud" })
      await settle(program, commission_id, step, { reason: "again" })
    })
    const subject = { type: "commission", id: commission_id }
    expect(entries).toHaveLength(1)
    expect(entries[0]).toMatchObject({ action: `commission.${verb}`, subject, details })
  })

  test("for a program's creation, and one for its archiving", async () => {
    const owner = await newOwner()
    const created = await newProgramOf(owner, { name: "Shop", currency: "EUR" })
    await call("DELETE", created.path, undefined, owner.session)
    await call("DELETE", created.path, undefined, owner.session) // already archived
    const { data } = (await listAuditLog(owner)).body
    expect(data.map((entry: { action: string }) => entry.action)).toEqual([
      "program.archive",
      "partner.create",
      "program.create",
    ])
    expect(data[0].details).toEqual({ status: "archived" })
    expect(data[2].details).toMatchObject({ name: "Shop", currency: "EUR", status: "active" })
  })

  test("for each of many changes that race", async () => {
    const names = Array.from({ length: 8 }, () => unique("Race"))
    const entries = await entriesWrittenBy(program, () =>
      Promise.all(names.map(async name => expect((await put({ name })).status).toBe(200))),
    )
    const named = entries.map((entry: { details: { name: string } }) => entry.details.name)
    expect(named.toSorted()).toEqual(names.toSorted())
  })

  test("for a change by a key, and it names the key", async () => {
    const { id, key } = await newKey(program, { name: "Robot" })
    const entries = await entriesWrittenBy(program, () =>
      call("PUT", program.path, { name: unique("By key") }, key),
    )
    expect(entries).toHaveLength(1)
    expect(entries[0].actor).toMatchObject({ kind: "key", id, name: "Robot" })
  })

  test("for a new member, and it names the member", async () => {
    const invitation = { email: email(), role: "billing" }
    const { token } = (await call("POST", `${workspace}/invitations`, invitation)).body.data
    const body = { token, password: "correct horse battery", name: "Newcomer" }
    let user_id = 0
    const entries = await entriesWrittenBy(program, async () => {
      const joined = await send("POST", "/api/auth/accept-invitation", { body })
      user_id = joined.body.data.user.id
    })
    expect(entries).toHaveLength(1)
    expect(entries[0]).toMatchObject({
      action: "member.join",
      subject: { type: "member", id: user_id },
      actor: { kind: "user", id: user_id, name: "Newcomer" },
      details: { role: "billing" },
    })
  })

  test("for a partner who accepts, without personal data", async () => {
    const { partner_id } = await newPartner(program)
    const { token } = (await own("POST", `/partners/${partner_id}/invite`)).body.data
    const body = { token, password: "correct horse battery", email: email(), name: "Private" }
    const entries = await entriesWrittenBy(program, () =>
      send("POST", "/api/auth/accept-invitation", { body }),
    )
    expect(entries).toHaveLength(1)
    expect(entries[0]).toMatchObject({
      action: "partner.accept_invitation",
      subject: { type: "partner", id: partner_id },
      actor: { kind: "none", id: null, name: null, address: null },
      details: {},
    })
  })
})

describe("the audit log has no entry for", () => {
  const member = () => `${workspace}/members/${program.user_id}`
  const link = () => `/referral-links/${program.link_id}`

  test.each<[number, string, Prepare]>([
    [400, "an invalid change", async () => () => put({ cookie_window_days: 0 })],
    [
      403,
      "a change that the role does not allow",
      async () => {
        const analyst = await newMemberOnly(program, "analyst")
        return () => call("PUT", program.path, { name: "No" }, analyst)
      },
    ],
    [
      404,
      "a change by a stranger",
      async () => {
        const { session } = await newOwner()
        return () => call("PUT", program.path, { name: "No" }, session)
      },
    ],
    [
      409,
      "the last owner's suspension",
      async () => () => call("PUT", member(), { status: "suspended" }),
    ],
    [
      409,
      "a taken slug",
      async () => {
        const { slug } = (await own("GET")).body.data
        return () => call("POST", PROGRAMS, { name: "Copy", slug })
      },
    ],
    [
      409,
      "a currency that can no longer change",
      async () => {
        await newSale(program)
        return () => put({ currency: "JPY" })
      },
    ],
    [
      409,
      "a partner whose code is taken",
      async () => () =>
        own("POST", "/partners", { email: email(), name: "Copy", code: program.code }),
    ],
    [
      409,
      "a link whose code is taken",
      async () => () => {
        const { partner_id, code } = program
        return own("POST", "/referral-links", { partner_id, code })
      },
    ],
    [
      409,
      "an invalid status change",
      async () => {
        const { commission_id } = await newSale(program)
        return () => settle(program, commission_id, "mark-paid")
      },
    ],
    [200, "a read", async () => () => own("GET")],
    [200, "an unchanged link", async () => () => own("PUT", link(), { destination_url: null })],
    [200, "an unchanged group", async () => () => own("PUT", `/groups/${group_id}`, {})],
    [
      200,
      "an unchanged partner",
      async () => () => own("PUT", `/partners/${program.partner_id}`, {}),
    ],
    [200, "an unchanged member", async () => () => call("PUT", member(), { role: "owner" })],
    [200, "an unchanged program", async () => () => put({ lead_auth: "browser" })],
    [
      200,
      "a program that is already live",
      async () => {
        await put({ website_url: "https://live.example" })
        await own("POST", "/go-live")
        return () => own("POST", "/go-live")
      },
    ],
  ])("%i: %s", async (status, _why, prepare) => {
    const attempt = await prepare()
    const entries = await entriesWrittenBy(program, async () => {
      expect((await attempt()).status).toBe(status)
    })
    expect(entries).toEqual([])
  })
})

describe("an interrupted change", () => {
  const cases = [
    ["program", "", { name: unique("Swept") }],
    ["partner", "/partners/:partner_id", { status: "removed" }],
  ] as const

  test.each(cases)(
    "names its actor once the sweeper has completed it: %s",
    async (noun, path, body) => {
      const { key, id } = await newKey(program, { name: "Absent" })
      const subject = { type: noun, id: ids[noun]() }
      const before = await countEntries(program)
      const { status, headers } = await withTrackingLocked(noun, subject.id, () => {
        const url = program.path + path.replace(":partner_id", `${program.partner_id}`)
        return call("PUT", url, body, key)
      })
      expect(status).toBe(503)
      while ((await countEntries(program)) === before) await Bun.sleep(100)

      const { data, meta } = (await listAuditLog(program)).body
      expect(meta.pagination.total).toBe(before + 1)
      expect(data[0]).toMatchObject({
        action: `${noun}.update`,
        subject,
        actor: { kind: "key", id, name: "Absent" },
        details: body,
        request_id: headers.get("x-request-id"),
      })
    },
    SWEPT_WITHIN_MS,
  )

  /** Makes a change while tracking's row is locked, so that tracking cannot apply it in time. */
  const withTrackingLocked = (
    noun: "program" | "partner",
    id: number,
    change: () => ReturnType<typeof call>,
  ): ReturnType<typeof call> =>
    sql.begin(async sql => {
      const table = noun === "program" ? "programs" : "partner_programs"
      await sql`
        select 1
        from ${sql(`tracking.${table}`)}
        where ${sql(`${noun}_id`)} = ${id}
        for update
      `
      return change()
    }) as ReturnType<typeof call>
})
