import { beforeAll, describe, expect, test } from "bun:test"
import { newMember } from "../../support/member"
import { newClick, newPartner, newProgram, type TestProgram } from "../../support/program"
import { send, sql } from "../../support/world"

let program: TestProgram
let other: TestProgram
let analyst: string
beforeAll(async () => {
  program = await newProgram()
  other = await newProgram()
  analyst = await newMember(program, "analyst")
})

const PERCENT = { kind: "percent", rate_bps: 2_000 }
const FIRST_TERMS = { duration_months: null, hold_days: 15, auto_approve: true, products: [] }

const JSON_TYPE = { "content-type": "application/json" } // also for bodies that are not JSON
const call = (method: string, path: string, body?: unknown, token = program.session) =>
  send(method, `${program.path}/groups${path}`, { token, body, headers: JSON_TYPE })

/** Creates a group. Returns it with a function that updates it. */
async function newGroup(policy: object = PERCENT) {
  const { body } = await call("POST", "", { name: "Group", policy })
  const group = body.data as { id: number; policy: { version: number } }
  return { ...group, put: (change: object) => call("PUT", `/${group.id}`, change) }
}

/** Creates a partner of the group. Returns a function that sells and returns the commission. */
async function newSeller(group_id: number) {
  const partner = await newPartner(program, { group_id })
  return async (fields: object = {}) => {
    const click_id = await newClick(partner)
    const sale = { transaction_id: crypto.randomUUID(), amount_cents: 4_999, click_id, ...fields }
    const token = program.api_token
    const { body } = await send("POST", "/api/v1/track/sale", { token, body: sale })
    const shown = await send("GET", `${program.path}/sales/${body.sale_id}`, {
      token: program.session,
    })
    return shown.body.data.commission
  }
}

describe("groups", () => {
  test("include a Default one, of 30 % or of the policy given at creation", async () => {
    const { body } = await call("GET", "")
    expect(body.data[0]).toEqual({
      id: expect.any(Number),
      name: "Default",
      is_default: true,
      policy: {
        version: 1,
        effective_from: expect.stringMatching(/Z$/),
        kind: "percent",
        rate_bps: 3_000,
        ...FIRST_TERMS,
      },
    })
    const commission = { kind: "fixed", amount_cents: 700, hold_days: 0 }
    const { path, session } = await newProgram({ commission })
    const { body: own } = await send("GET", `${path}/groups`, { token: session })
    expect(own.data).toMatchObject([{ policy: { version: 1, ...FIRST_TERMS, ...commission } }])
  })

  test("are created, renamed and listed by id", async () => {
    const created = await call("POST", "", { name: "VIP", policy: PERCENT, is_default: true })
    expect(created.status).toBe(201)
    const { id } = created.body.data
    expect(created.body.data).toMatchObject({ name: "VIP", is_default: false, policy: PERCENT })

    const renamed = await call("PUT", `/${id}`, { name: "Gold" })
    expect(renamed.body).toEqual({ data: { ...created.body.data, name: "Gold" } })
    const { data, meta } = (await call("GET", "?pageSize=100")).body
    expect(data).toContainEqual(renamed.body.data)
    const ids = data.map((group: { id: number }) => group.id)
    expect(ids).toEqual(ids.toSorted((a: number, b: number) => a - b))
    expect(meta.pagination).toMatchObject({ page: 1, pageSize: 100, total: data.length })
  })

  test("change their policy by a new version; omitted fields stay", async () => {
    const product = { product_id: "book", kind: "fixed", amount_cents: 5 }
    const terms = { duration_months: 12, hold_days: 30, auto_approve: false, products: [product] }
    const group = await newGroup({ ...PERCENT, ...terms })

    const fixed = { kind: "fixed", amount_cents: 500 }
    const second = await group.put({ policy: fixed })
    expect(second.body.data.policy).toEqual({
      version: 2,
      effective_from: expect.any(String),
      ...fixed,
      ...terms,
    })
    const third = await group.put({ policy: { ...PERCENT, duration_months: null, products: [] } })
    expect(third.body.data.policy).toMatchObject({
      ...PERCENT,
      ...terms,
      version: 3,
      duration_months: null,
      products: [],
    })
  })

  test("number their versions without gaps when edits race", async () => {
    const { put } = await newGroup()
    const racing = Array.from({ length: 10 }, (_, i) =>
      put({ policy: { kind: "percent", rate_bps: i } }),
    )
    expect((await Promise.all(racing)).map(({ status }) => status)).toEqual(Array(10).fill(200))
    expect((await put({})).body.data.policy.version).toBe(11)
  })

  test("pay by the version in force at the sale, and commissions keep it", async () => {
    const { id, put } = await newGroup()
    const sell = await newSeller(id)
    const first = await sell()
    expect(first).toMatchObject({ amount_cents: 1_000, policy_version: 1 }) // 20 % of 49.99

    const later = { ...PERCENT, rate_bps: 1, effective_from: "2099-12-31" }
    const { policy } = (await put({ policy: later })).body.data
    expect(policy).toMatchObject({ version: 2, effective_from: "2099-12-31T00:00:00.000Z" })
    expect(await sell()).toMatchObject({ amount_cents: 1_000, policy_version: 1 })

    await put({ policy: { kind: "fixed", amount_cents: 42 } })
    expect(await sell()).toMatchObject({ amount_cents: 42, policy_version: 3 })

    const path = `${program.path}/sales/${first.sale_id}`
    const { body } = await send("GET", path, { token: program.session })
    expect(body.data.commission).toEqual(first)
  })

  test("pay product rates, and fixed amounts in the program's currency", async () => {
    const products = [
      { product_id: "book", kind: "percent", rate_bps: 1_250 },
      { product_id: "pen", kind: "fixed", amount_cents: 0 },
    ]
    const { id } = await newGroup({ kind: "fixed", amount_cents: 300, products })
    const sell = await newSeller(id)
    const [rest, book, pen, euro] = [
      await sell({ product_id: "Book" }), // another product: ids are compared exactly
      await sell({ product_id: "book", currency: "EUR", amount_cents: 4 }),
      await sell({ product_id: "pen" }),
      await sell({ currency: "eur" }),
    ]
    expect(rest).toMatchObject({ amount_cents: 300, currency: "USD" })
    expect(book).toMatchObject({ amount_cents: 1, currency: "EUR" }) // 0.5 is rounded up
    expect(pen).toMatchObject({ amount_cents: 0, currency: "USD" }) // zero is a rate too
    expect(euro).toMatchObject({ amount_cents: 300, currency: "USD" })
  })

  test.each<[number, string, string, string, unknown, (() => string)?]>([
    [401, "no credential, and invalid JSON", "POST", "", "{", () => ""],
    [401, "a tracking token", "POST", "", "{", () => program.api_token],
    [404, "another workspace's program", "POST", "", "{", () => other.session],
    [403, "an analyst who writes", "POST", "", "{", () => analyst],
    [404, "an invalid group id", "PUT", "/1e3", "{"],
    [404, "an unknown group", "PUT", "/999999999", "{"],
    [400, "invalid JSON", "POST", "", "{"],
    [400, "no name", "POST", "", { policy: PERCENT }],
    [400, "no policy", "POST", "", { name: "A" }],
    [400, "a percentage without a rate", "POST", "", { name: "A", policy: { kind: "percent" } }],
    [400, "an invalid page size", "GET", "?pageSize=101", undefined],
  ])("%i: %s", async (status, _why, method, path, body, token) => {
    const reply = await call(method, path, body, token?.())
    expect(reply).toMatchObject({ status, body: { error: expect.any(String) } })
  })

  test.each(["0", "-1", "1e3", "999999999", "x"])("404: no program has the id %s", async id => {
    const path = program.path.replace(/\d+$/, id)
    expect((await send("GET", `${path}/groups`, { token: program.session })).status).toBe(404)
  })

  test("another program's group is not found", async () => {
    const { body } = await send("GET", `${other.path}/groups`, { token: other.session })
    expect((await call("PUT", `/${body.data[0].id}`, { name: "Mine" })).status).toBe(404)
  })

  test("an analyst may read", async () => {
    expect((await call("GET", "", undefined, analyst)).status).toBe(200)
  })

  const book = { product_id: "book", ...PERCENT }
  test.each([
    ["a rate above 100 %", { ...PERCENT, rate_bps: 10_001 }],
    ["a rate below 0", { ...PERCENT, rate_bps: -1 }],
    ["a fixed amount with a fraction", { kind: "fixed", amount_cents: 0.5 }],
    ["an unknown kind", { kind: "barter" }],
    ["91 days on hold", { ...PERCENT, hold_days: 91 }],
    ["a duration that is text", { ...PERCENT, duration_months: "12" }],
    ["a product twice", { ...PERCENT, products: [book, book] }],
    ["a product without a rate", { ...PERCENT, products: [{ product_id: "book" }] }],
    ["an invalid time", { ...PERCENT, effective_from: "soon" }],
    ["a day that does not exist", { ...PERCENT, effective_from: "2099-02-30T00:00:00Z" }],
    ["a time in the past", { ...PERCENT, effective_from: "2020-01-01T00:00:00Z" }],
  ])("400, and no new version: %s", async (_why, policy) => {
    const group = await newGroup()
    expect(await group.put({ policy })).toMatchObject({
      status: 400,
      body: { error: expect.any(String) },
    })
    const [{ versions }] = (await sql`
      select count(*) as versions
      from commissions.policies
      where group_id = ${group.id}
    `) as unknown as [{ versions: number }]
    expect(versions).toBe(1)
  })

  test("400: a first policy that takes effect later", async () => {
    const policy = { ...PERCENT, effective_from: "2099-01-01T00:00:00Z" }
    expect((await call("POST", "", { name: "A", policy })).status).toBe(400)
  })
})
