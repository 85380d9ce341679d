import { beforeAll, describe, expect, test } from "bun:test"
import { EVENT_TYPES } from "../../../services/delivery/events/contract"
import { columnsContaining } from "../../support/columns"
import { refusesBadCredentials } from "../../support/credentials"
import { newKey } from "../../support/key"
import { newMember } from "../../support/member"
import { newOwner, newProgram, newProgramOf, type TestProgram } from "../../support/program"
import { RECEIVER } from "../../support/receiver"
import { ENDPOINTS, newEndpoint } from "../../support/webhook-endpoint"
import { send, sql } from "../../support/world"

const SECRET = /^whsec_[A-Za-z0-9+/]{43}=$/
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

let program: TestProgram
let second: TestProgram
let foreign: TestProgram
beforeAll(async () => {
  program = await newProgram()
  second = await newProgramOf(program)
  foreign = await newProgram()
})

const create = (fields: object, token = program.session) =>
  send("POST", ENDPOINTS, { token, body: { url: RECEIVER, events: ["*"], ...fields } })
const at = (id: number | string, action = "") => `${ENDPOINTS}/${id}${action && `/${action}`}`
const get = (path: string, token = program.session) => send("GET", path, { token })
const put = (id: number, body: object, token = program.session) =>
  send("PUT", at(id), { token, body })
const post = (id: number | string, action: string, body?: object, token = program.session) =>
  send("POST", at(id, action), { token, body })
const remove = (id: number, token = program.session) => send("DELETE", at(id), { token })
const masked = (secret: string) => `${secret.slice(0, 14)}****${secret.slice(-4)}`
const only = ({ program_id }: TestProgram) => ({ program_scope: [program_id] })
const everything = () => sql`
  select endpoint::text as endpoint, (
    select string_agg(secret::text, ' ' order by id)
    from delivery.webhook_secrets as secret
    where endpoint_id = endpoint.id
  ) as secrets
  from delivery.webhook_endpoints as endpoint
  where workspace_id = ${program.workspace_id}
  order by id
`

describe("POST /api/advertiser/webhook-endpoints", () => {
  test("creates an endpoint and shows its secret once", async () => {
    const { status, body } = await create({ events: ["sale.recorded", "refund.recorded"] })
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        data: {
          id: expect.any(Number),
          url: RECEIVER,
          events: ["sale.recorded", "refund.recorded"],
          program_ids: null,
          payload: "full",
          description: null,
          status: "enabled",
          secret: expect.stringMatching(SECRET),
          secret_masked: masked(body.data.secret),
          previous_secret_valid_until: null,
          created_at: TIME,
        },
      },
    })
    expect(Buffer.from(body.data.secret.slice(6), "base64")).toHaveLength(32)
    const { secret, ...shown } = body.data
    expect((await get(at(shown.id))).body).toEqual({ data: shown })
    const listed = await get(`${ENDPOINTS}?pageSize=100`)
    expect(listed.body.data).toContainEqual(shown)
    expect(JSON.stringify(listed.body)).not.toContain(secret)
  })

  test.each<[string, () => object, () => object]>([
    [
      "programs of the workspace, each once",
      () => ({ program_ids: [second.program_id, program.program_id, second.program_id] }),
      () => ({ program_ids: [second.program_id, program.program_id] }),
    ],
    ["no program at all", () => ({ program_ids: [] }), () => ({ program_ids: [] })],
    ["each type", () => ({ events: Object.keys(EVENT_TYPES) }), () => ({})],
    [
      "a type twice",
      () => ({ events: ["lead.created", "lead.created"] }),
      () => ({ events: ["lead.created"] }),
    ],
    ["* beside a type", () => ({ events: ["lead.created", "*"] }), () => ({ events: ["*"] })],
    [
      "thin payloads and a description",
      () => ({ payload: "thin", description: "Our shop" }),
      () => ({ payload: "thin", description: "Our shop" }),
    ],
    [
      "the port 8443",
      () => ({ url: "https://93.184.215.14:8443/hooks?from=tributary" }),
      () => ({ url: "https://93.184.215.14:8443/hooks?from=tributary" }),
    ],
    [
      "unknown fields",
      () => ({ status: "disabled", secret: "whsec_mine", id: 7, workspace_id: 1 }),
      () => ({ status: "enabled", secret: expect.stringMatching(SECRET) }),
    ],
  ])("accepts %s", async (_what, fields, shown) => {
    const { status, body } = await create(fields())
    expect({ status, data: body.data }).toMatchObject({ status: 201, data: shown() })
    await remove(body.data.id)
  })

  test.each<[string, () => object]>([
    ["no url", () => ({ url: undefined })],
    ["a url that is null", () => ({ url: null })],
    ["text that is no url", () => ({ url: "hooks" })],
    ["a url without encryption", () => ({ url: "http://93.184.215.14/hooks" })],
    ["a url of another scheme", () => ({ url: "ftp://93.184.215.14/hooks" })],
    ["a url with a user", () => ({ url: "https://ada:secret@93.184.215.14/hooks" })],
    ["a url with another port", () => ({ url: "https://93.184.215.14:444/hooks" })],
    ["a url of 2,049 characters", () => ({ url: `${RECEIVER}/`.padEnd(2_049, "x") })],
    ["a url of a private address", () => ({ url: "https://[::ffff:10.0.0.1]/hooks" })],
    ["a url of this machine", () => ({ url: "https://localhost./hooks" })],
    ["a url whose host does not resolve", () => ({ url: "https://hooks.invalid/" })],
    ["no events", () => ({ events: undefined })],
    ["an empty list of events", () => ({ events: [] })],
    ["events that are text", () => ({ events: "*" })],
    ["an unknown type", () => ({ events: ["sale.recorded", "click.recorded"] })],
    ["a pattern of types", () => ({ events: ["sale.*"] })],
    ["a program of another workspace", () => ({ program_ids: [foreign.program_id] })],
    [
      "a program of another workspace beside an own",
      () => ({ program_ids: [program.program_id, foreign.program_id] }),
    ],
    ["a program that does not exist", () => ({ program_ids: [Number.MAX_SAFE_INTEGER] })],
    ["program ids that are text", () => ({ program_ids: "all" })],
    ["a program id of zero", () => ({ program_ids: [0] })],
    ["an unknown payload", () => ({ payload: "fat" })],
    ["a payload that is null", () => ({ payload: null })],
    ["an empty description", () => ({ description: "" })],
    ["a description of 256 characters", () => ({ description: "d".repeat(256) })],
  ])("400: %s", async (_why, fields) => {
    const before = await everything()
    expect(await create(fields())).toMatchObject({
      status: 400,
      body: { error: expect.any(String) },
    })
    expect(await everything()).toEqual(before)
  })

  test("409: the 21st endpoint of a workspace, disabled ones included", async () => {
    const owner = await newOwner()
    for (let i = 0; i < 19; i++) await newEndpoint(owner)
    const races = Array.from({ length: 20 }, () => create({}, owner.session))
    const statuses = (await Promise.all(races)).map(({ status }) => status).sort()
    expect(statuses).toEqual([201, ...Array(19).fill(409)])

    const { body } = await get(`${ENDPOINTS}?pageSize=100`, owner.session)
    expect(body.meta.pagination.total).toBe(20)
    const { id } = body.data[0]
    await post(id, "disable", undefined, owner.session)
    expect((await create({}, owner.session)).status).toBe(409)
    await remove(id, owner.session)
    expect((await create({}, owner.session)).status).toBe(201)
  })

  test("creates the endpoint in the workspace that X-Workspace-Id names", async () => {
    const token = await newMember(program, "admin")
    const headers = { "x-workspace-id": `${program.workspace_id}` }
    const body = { url: RECEIVER, events: ["*"] }
    const { id } = (await send("POST", ENDPOINTS, { token, headers, body })).body.data
    expect((await get(at(id))).status).toBe(200)
    expect((await get(at(id), token)).status).toBe(404) // in the member's own workspace
    expect((await send("GET", at(id), { token, headers })).status).toBe(200)
    await remove(id)
  })

  refusesBadCredentials("POST", () => ENDPOINTS)
})

describe("a key that is limited to programs", () => {
  test("sees and makes only endpoints within its limit", async () => {
    const owner = await newProgram()
    const sibling = await newProgramOf(owner)
    const { key } = await newKey(owner, { ...only(owner), scopes: ["webhook:manage"] })
    const wide = await newEndpoint(owner)
    const other = await newEndpoint(owner, { program_ids: [sibling.program_id] })
    const both = await newEndpoint(owner, { program_ids: [owner.program_id, sibling.program_id] })
    const { id } = await newEndpoint(owner, { program_ids: [owner.program_id] })

    expect((await get(ENDPOINTS, key)).body).toMatchObject({
      data: [{ id }],
      meta: { pagination: { total: 1 } },
    })
    for (const hidden of [wide, other, both]) {
      expect((await get(at(hidden.id), key)).status).toBe(404)
      expect((await put(hidden.id, { payload: "thin" }, key)).status).toBe(404)
      expect((await post(hidden.id, "rotate-secret", {}, key)).status).toBe(404)
      expect((await remove(hidden.id, key)).status).toBe(404)
    }
    for (const program_ids of [null, undefined, [sibling.program_id], [foreign.program_id]]) {
      expect((await create({ program_ids }, key)).status).toBe(403)
    }
    for (const program_ids of [null, [sibling.program_id]]) {
      expect((await put(id, { program_ids }, key)).status).toBe(403)
    }
    expect((await create({ program_ids: [owner.program_id] }, key)).status).toBe(201)
    expect((await put(id, { payload: "thin" }, key)).body.data.payload).toBe("thin")
    expect((await post(id, "rotate-secret", {}, key)).status).toBe(200)
    expect((await remove(id, key)).status).toBe(200)
  })
})

describe("PUT /api/advertiser/webhook-endpoints/:id", () => {
  test("changes only the given fields", async () => {
    const { id, secret, ...endpoint } = await newEndpoint(program, { description: "Shop" })
    const changed = await put(id, { events: ["lead.created"], status: "disabled", id: 1 })
    expect(changed).toMatchObject({
      status: 200,
      body: { data: { ...endpoint, id, events: ["lead.created"] } },
    })
    const program_ids = [second.program_id]
    expect((await put(id, { program_ids })).body.data.program_ids).toEqual(program_ids)
    expect((await put(id, { payload: "thin" })).body.data.program_ids).toEqual(program_ids)
    const url = "https://93.184.215.14:8443/new"
    const { body } = await put(id, { url, program_ids: null, description: null })
    expect(body.data).toMatchObject({ url, program_ids: null, description: null, payload: "thin" })
    expect((await get(at(id))).body).toEqual(body)
  })

  test.each<[string, () => object]>([
    ["not an object", () => []],
    ["a refused url", () => ({ url: "http://93.184.215.14/" })],
    ["a url that is null", () => ({ url: null })],
    ["no event", () => ({ events: [] })],
    ["an unknown type", () => ({ events: ["sale"] })],
    ["a foreign program", () => ({ program_ids: [foreign.program_id] })],
  ])("400: %s", async (_why, fields) => {
    const { id } = await newEndpoint(program)
    const before = await everything()
    expect((await put(id, fields())).status).toBe(400)
    expect(await everything()).toEqual(before)
    await remove(id)
  })
})

describe("POST …/:id/enable and /disable", () => {
  test("change the status, and can be repeated", async () => {
    const { id } = await newEndpoint(program)
    for (const [action, status] of [
      ["disable", "disabled"],
      ["disable", "disabled"],
      ["enable", "enabled"],
      ["enable", "enabled"],
    ] as const) {
      expect(await post(id, action)).toMatchObject({ status: 200, body: { data: { id, status } } })
      expect((await get(at(id))).body.data.status).toBe(status)
    }
    await remove(id)
  })

  test("409: an endpoint without a secret is enabled only after a new one", async () => {
    const { id } = await newEndpoint(program)
    await post(id, "disable")
    await sql`delete from delivery.webhook_secrets where endpoint_id = ${id}`
    expect((await get(at(id))).body.data.secret_masked).toBeNull()
    expect((await post(id, "enable")).status).toBe(409)
    expect((await post(id, "rotate-secret")).status).toBe(200)
    expect((await post(id, "enable")).status).toBe(200)
    await remove(id)
  })
})

describe("DELETE /api/advertiser/webhook-endpoints/:id", () => {
  test("deletes the endpoint with its secrets", async () => {
    const { id, secret, ...endpoint } = await newEndpoint(program)
    await post(id, "rotate-secret")
    const { status, body } = await remove(id)
    expect({ status, url: body.data.url }).toEqual({ status: 200, url: RECEIVER })
    expect(Object.keys(body.data)).toEqual(Object.keys({ id, ...endpoint }))
    expect((await get(at(id))).status).toBe(404)
    expect((await remove(id)).status).toBe(404)
    expect(await sql`select from delivery.webhook_secrets where endpoint_id = ${id}`).toHaveLength(
      0,
    )
  })
})

describe("POST …/:id/rotate-secret", () => {
  /** The valid secrets of an endpoint, masked, and for how many hours each is valid. */
  const validSecretsOf = async (id: number) =>
    (
      await sql<{ masked: string; hours: number | null }[]>`
        select masked, round(extract(epoch from valid_until - now()) / 3600)::int as hours
        from delivery.webhook_secrets
        where endpoint_id = ${id}
        order by valid_until nulls last
      `
    ).map(({ masked, hours }) => [masked, hours])

  test("shows a new secret once, and the old one signs for 24 hours", async () => {
    const { id, secret: first } = await newEndpoint(program)
    const { status, body } = await post(id, "rotate-secret")
    const { secret, ...shown } = body.data
    expect({ status, shown }).toMatchObject({
      status: 200,
      shown: {
        secret_masked: masked(secret),
        previous_secret_valid_until: TIME,
      },
    })
    expect(secret).toMatch(SECRET)
    expect(await validSecretsOf(id)).toEqual([
      [masked(first), 24],
      [masked(secret), null],
    ])
    expect((await get(at(id))).body).toEqual({ data: shown })
    await remove(id)
  })

  test("ends the oldest secret, so that at most two are valid", async () => {
    const { id } = await newEndpoint(program)
    const { secret: two } = (await post(id, "rotate-secret", { overlap_hours: 168 })).body.data
    const { secret: three } = (await post(id, "rotate-secret", { overlap_hours: 1 })).body.data
    expect(await validSecretsOf(id)).toEqual([
      [masked(two), 1],
      [masked(three), null],
    ])
    const { body } = await post(id, "rotate-secret", { overlap_hours: 0 })
    expect(body.data.previous_secret_valid_until).toBeNull()
    expect(await validSecretsOf(id)).toEqual([[masked(body.data.secret), null]])
    await remove(id)
  })

  test("leaves two valid secrets, however many calls race", async () => {
    const { id } = await newEndpoint(program)
    const replies = await Promise.all(Array.from({ length: 20 }, () => post(id, "rotate-secret")))
    expect(replies.map(({ status }) => status)).toEqual(Array(20).fill(200))
    const valid = (await validSecretsOf(id)).map(([secret]) => secret)
    expect(valid).toHaveLength(2)
    expect(replies.map(({ body }) => masked(body.data.secret))).toEqual(
      expect.arrayContaining(valid),
    )
    await remove(id)
  })

  test.each([-1, 169, 1.5, "24", null])("400: overlap_hours is %p", async overlap_hours => {
    const { id } = await newEndpoint(program)
    const before = await everything()
    expect((await post(id, "rotate-secret", { overlap_hours })).status).toBe(400)
    expect(await everything()).toEqual(before)
    await remove(id)
  })
})

describe.each<[method: string, action: string]>([
  ["GET", ""],
  ["PUT", ""],
  ["DELETE", ""],
  ["POST", "enable"],
  ["POST", "disable"],
  ["POST", "rotate-secret"],
])("%s /api/advertiser/webhook-endpoints/:id/%s", (method, action) => {
  refusesBadCredentials(method, () => at(1, action))

  const call = (id: number | string, token: string) =>
    send(method, at(id, action), { token, body: method === "GET" ? undefined : {} })

  test.each(["abc", "0", "-1", "9007199254740991"])("404: the id is %s", async id => {
    expect((await call(id, program.session)).status).toBe(404)
  })

  test("404 for another workspace, 403 for who may not manage webhooks", async () => {
    const { id } = await newEndpoint(program)
    const before = await everything()
    const missing = await call("9007199254740991", foreign.session)
    for (const token of [foreign.session, (await newKey(foreign)).key]) {
      const reply = await call(id, token)
      expect({ status: reply.status, body: reply.body }).toEqual({
        status: 404,
        body: missing.body, // the answer does not reveal that it exists
      })
    }
    const headers = { "x-workspace-id": `${program.workspace_id}` }
    const body = method === "GET" ? undefined : {}
    for (const role of ["analyst", "billing"]) {
      const token = await newMember(program, role)
      expect((await send(method, at(id, action), { token, headers, body })).status).toBe(403)
    }
    const { key } = await newKey(program, { scopes: ["program:read", "program:update"] })
    expect((await call(id, key)).status).toBe(403)
    expect(await everything()).toEqual(before)
    await remove(id)
  })
})

describe("GET /api/advertiser/webhook-endpoints", () => {
  test("lists those of the workspace by id, in pages", async () => {
    const owner = await newOwner()
    const ids: number[] = []
    for (let i = 0; i < 3; i++) ids.push((await newEndpoint(owner)).id)
    const list = async (query: string) =>
      (await get(`${ENDPOINTS}${query}`, owner.session)).body.data.map(
        ({ id }: { id: number }) => id,
      )
    expect(await list("")).toEqual(ids)
    expect(await list("?page=2&pageSize=2")).toEqual(ids.slice(2))
  })

  test.each(["page=0", "pageSize=101"])("400: %s", async query => {
    expect((await get(`${ENDPOINTS}?${query}`)).status).toBe(400)
  })

  refusesBadCredentials("GET", () => ENDPOINTS)
})

test("a secret is nowhere in plain", async () => {
  const { id, secret } = await newEndpoint(program)
  const { secret: next } = (await post(id, "rotate-secret")).body.data
  const { rows } = await auditLogOf(program)
  for (const each of [secret, next]) {
    const bytes = each.slice("whsec_".length)
    expect(await columnsContaining(sql, bytes)).toEqual([])
    expect(await columnsContaining(sql, Buffer.from(bytes, "base64").toString("hex"))).toEqual([])
    expect(JSON.stringify(rows)).not.toContain(bytes)
  }
  await remove(id)
})

test("every write leaves an audit entry, of the URL only with its host", async () => {
  const owner = await newProgram()
  const { id, secret_masked } = await newEndpoint(owner, { url: "https://93.184.215.14/canary" })
  const { key } = await newKey(owner)
  await put(id, { url: "https://93.184.215.14/canary/2", payload: "thin" }, owner.session)
  await put(id, { payload: "thin" }, owner.session) // changes nothing
  await post(id, "disable", undefined, key)
  await post(id, "disable", undefined, key)
  await post(id, "enable", undefined, key)
  const rotated = await post(id, "rotate-secret", { overlap_hours: 2 }, owner.session)
  await remove(id, owner.session)

  const { rows } = await auditLogOf(owner)
  const host = "93.184.215.14"
  const entries = rows.filter(isOfEndpoint)
  expect(
    entries.toReversed().map(({ action, actor, details }) => [action, actor.kind, details]),
  ).toEqual([
    [
      "webhook_endpoint.create",
      "user",
      { host, events: ["*"], program_ids: null, payload: "full", description: null },
    ],
    ["webhook_endpoint.update", "user", { host, payload: "thin" }],
    ["webhook_endpoint.disable", "key", { status: "disabled" }],
    ["webhook_endpoint.enable", "key", { status: "enabled" }],
    [
      "webhook_endpoint.rotate_secret",
      "user",
      { secret_masked: rotated.body.data.secret_masked, overlap_hours: 2 },
    ],
    ["webhook_endpoint.delete", "user", { host }],
  ])
  for (const entry of entries) {
    expect(entry).toMatchObject({ subject: { id }, program_id: null })
    expect(entry.actor.name).toBeString()
  }
  expect(JSON.stringify(entries)).not.toContain("canary")
  expect(secret_masked).not.toBe(rotated.body.data.secret_masked)
  expect((await auditLogOf(foreign)).rows.filter(isOfEndpoint)).toEqual([])
})

type Entry = {
  action: string
  actor: { kind: string; name: string | null }
  subject: { type: string; id: number }
  program_id: number | null
  details: object
}
const isOfEndpoint = ({ subject }: Entry) => subject.type === "webhook_endpoint"

async function auditLogOf({ workspace_id, session: token }: TestProgram) {
  const { body } = await send("GET", `/api/workspaces/${workspace_id}/audit-log?pageSize=100`, {
    token,
  })
  expect(body.meta.appliedUntil).toBeUndefined()
  return { rows: body.data as Entry[] }
}
