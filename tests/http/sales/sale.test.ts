import { beforeAll, describe, expect, test } from "bun:test"
import { mintToken } from "../../../lib/token"
import { newClick, newPartner, newProgram, type TestProgram } from "../../support/program"
import { send, sql } from "../../support/world"

let program: TestProgram
let other: TestProgram
beforeAll(async () => {
  program = await newProgram()
  other = await newProgram()
})

const SALE = "/api/v1/track/sale"
let count = 0
const newTransaction = () => `t-${process.pid}-${Date.now()}-${++count}`
const post = (body: unknown, token = program.api_token) => send("POST", SALE, { token, body })
const sale = (fields: object, token?: string) =>
  post({ transaction_id: newTransaction(), amount_cents: 4_999, ...fields }, token)
const show = (sale_id: number) =>
  send("GET", `${program.path}/sales/${sale_id}`, { token: program.session })

const customersOf = (click_id: string) => sql`
  select customer_key, customer_status, first_purchase_date, is_settled
  from tracking.customers
  where click_id = ${click_id}
  order by id
`

describe("POST /api/v1/track/sale", () => {
  test("records a sale and its commission, which can be read in full", async () => {
    const click_id = await newClick(program)
    await send("POST", "/api/v1/track/lead", { body: { click_id, customer_key: "ada" } })
    const transaction_id = newTransaction()
    const { status, body } = await post({
      transaction_id,
      amount_cents: 4_999,
      customer_key: "ada",
      currency: "eur",
      sale_type: "subscription",
      line_items: { items: [{ sku: "A", count: 2 }] },
      is_recurring: true,
      subscription_id: `sub ${transaction_id}`,
      subscription_interval: "monthly",
      product_id: "pro",
      unknown: "is ignored",
    })
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        success: true,
        sale_id: expect.any(Number),
        commission_id: expect.any(Number),
        message: expect.any(String),
      },
    })
    expect((await show(body.sale_id)).body).toEqual({
      data: {
        id: body.sale_id,
        transaction_id,
        program_id: program.program_id,
        click_id,
        customer_key: "ada",
        amount_cents: 4_999,
        currency: "EUR",
        sale_type: "subscription",
        payment_status: "paid",
        is_recurring: true,
        subscription_id: `sub ${transaction_id}`,
        subscription_interval: "monthly",
        product_id: "pro",
        line_items: { items: [{ sku: "A", count: 2 }] },
        is_test: false,
        sale_date: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        createdAt: expect.any(String),
        commission: {
          id: body.commission_id,
          sale_id: body.sale_id,
          transaction_id,
          partner_id: program.partner_id,
          partner_name: "Partner",
          group_id: expect.any(Number),
          amount_cents: 1_500, // 30 % of 49.99, half up
          currency: "EUR",
          status: "pending",
          refund_reason: null,
          rejection_reason: null,
          refunded_cents: 0,
          net_cents: 1_500,
          hold_ends_at: expect.any(String),
          auto_approve: true,
          policy_version: 1,
          created_at: expect.any(String),
        },
      },
    })
    expect(await customersOf(click_id)).toMatchObject([
      { customer_status: "conversion", first_purchase_date: expect.any(Date), is_settled: true },
    ])
  })

  test("defaults to a payment in USD that does not recur", async () => {
    const { body } = await sale({ click_id: await newClick(program) })
    expect((await show(body.sale_id)).body.data).toMatchObject({
      currency: "USD",
      sale_type: "payment",
      is_recurring: false,
      customer_key: null,
      line_items: null,
      subscription_id: null,
    })
  })

  test("keeps line_items whose fields have the names of object properties", async () => {
    const line_items = { toString: {}, valueOf: 1, constructor: null }
    const { status, body } = await sale({ click_id: await newClick(program), line_items })
    expect(status).toBe(200)
    expect((await show(body.sale_id)).body.data.line_items).toEqual(line_items)
  })

  test("accepts one of 40 identical concurrent sales, with one commission", async () => {
    const fields = { transaction_id: newTransaction(), click_id: await newClick(program) }
    const statuses = await Promise.all(
      Array.from({ length: 40 }, async () => (await sale(fields)).status),
    )
    expect(statuses.sort()).toEqual([200, ...Array(39).fill(409)])

    const books = await sql`
      select commissions.amount_cents, ledger.kind, ledger.amount_cents as entered_cents
      from commissions.commissions
      join commissions.ledger on ledger.commission_id = commissions.id
      where transaction_id = ${fields.transaction_id}
    `
    expect(books).toMatchObject([{ amount_cents: 1_500, kind: "commission", entered_cents: 1_500 }])
  })

  test("answers each of many concurrent sales, and each customer converts once", async () => {
    const [mine, theirs] = [await newClick(program), await newClick(program)]
    const shared = newTransaction()
    const answers = await Promise.all([
      ...Array.from({ length: 20 }, () => sale({ click_id: mine })),
      ...Array.from({ length: 20 }, () => sale({ click_id: theirs })),
      sale({ click_id: mine, transaction_id: shared, amount_cents: 100 }),
      sale({ click_id: theirs, transaction_id: shared, amount_cents: 200 }),
      sale({ customer_key: "unknown" }),
      sale({ click_id: mine, amount_cents: 0 }),
    ])
    const statuses = answers.map(({ status }) => status)
    expect(statuses.slice(0, 40)).toEqual(Array(40).fill(200))
    expect(statuses.slice(40, 42).sort()).toEqual([200, 409])
    expect(statuses.slice(42)).toEqual([400, 400])

    const customers = await sql`
      select
        count(*) filter (where converts) as conversions,
        min(first_purchase_date) = min(sale_date) filter (where converts) as is_the_first
      from tracking.affiliate_sale_events as sale
      join tracking.customers as customer on customer.id = sale.customer_id
      where customer.click_id in (${mine}, ${theirs})
      group by customer.id
    `
    expect(customers).toMatchObject([
      { conversions: 1, is_the_first: true },
      { conversions: 1, is_the_first: true },
    ])
    const ids = answers.slice(0, 40).map(({ body }) => body.commission_id)
    expect(new Set(ids).size).toBe(40)
  })

  test("does not delay other sales while one waits for a lock", async () => {
    const [mine, theirs] = [await newClick(program), await newClick(other)]
    expect((await sale({ click_id: mine })).status).toBe(200)
    const held = { click_id: mine, transaction_id: newTransaction() }

    const waiting = await sql.begin(async sql => {
      await sql`
        select 1
        from commissions.balances
        where program_id = ${program.program_id}
        for update
      `
      const pendingReply = sale(held)
      const others = Array.from({ length: 10 }, () => sale({ click_id: theirs }, other.api_token))
      const statuses = (await Promise.all(others)).map(({ status }) => status)
      expect(statuses).toEqual(Array(10).fill(200))
      return { pendingReply }
    })
    const { status } = await waiting.pendingReply
    expect([200, 500]).toContain(status)
    expect((await sale(held)).status).toBe(status === 200 ? 409 : 200)
  })

  test("says only that a duplicate is one", async () => {
    const transaction_id = newTransaction()
    await sale({ transaction_id, click_id: await newClick(program) })
    const { status, body } = await sale({ transaction_id, click_id: "unknown" })
    expect({ status, body }).toEqual({
      status: 409,
      body: { error: "Conflict", message: expect.any(String), statusCode: 409 },
    })
    const others = { transaction_id, click_id: await newClick(other), customer_key: "mallory" }
    expect((await sale(others, other.api_token)).body).toEqual(body)
    expect(await customersOf(others.click_id)).toMatchObject([{ customer_key: null }])
    expect((await sale({ transaction_id }, other.api_token)).status).toBe(400) // no customer
  })

  test("binds an unknown customer_key to the click sent with it", async () => {
    const click_id = await newClick(program)
    await sale({ click_id, customer_key: "bound by a sale" })
    expect((await sale({ customer_key: "bound by a sale" })).status).toBe(200)
    expect(await customersOf(click_id)).toMatchObject([{ customer_key: "bound by a sale" }])
  })

  test("creates a second customer for a shared browser, with the same partner", async () => {
    const click_id = await newClick(program)
    await sale({ click_id, customer_key: "first buyer" })
    const { body } = await sale({ click_id, customer_key: "second buyer" })
    expect(body.commission_id).toBeNumber()
    expect(await customersOf(click_id)).toMatchObject([
      { customer_key: "first buyer", customer_status: "conversion" },
      { customer_key: "second buyer", customer_status: "conversion" },
    ])
  })
})

describe("while commissions cannot be stored", () => {
  const breakCommissions = () => sql`alter table commissions.commissions rename to away`
  const restoreCommissions = () => sql`alter table if exists commissions.away rename to commissions`

  test("500, then 200 for a retry and 409 for anything else", async () => {
    const fields = { transaction_id: newTransaction(), click_id: await newClick(program) }
    await breakCommissions()
    const { status, body } = await sale(fields).finally(restoreCommissions)
    expect({ status, body }).toEqual({ status: 500, body: { error: expect.any(String) } })

    expect((await sale({ ...fields, amount_cents: 1 })).status).toBe(409)
    expect((await sale(fields)).status).toBe(200)
    expect((await sale(fields)).status).toBe(409)
  })

  test("a sale is pending and hidden; the sweeper completes it, and a retry gets 200", async () => {
    const fields = { transaction_id: newTransaction(), click_id: await newClick(program) }
    await breakCommissions()
    await sale(fields).finally(restoreCommissions)
    const find = () => sql`
      select id, state, acknowledged_by
      from tracking.affiliate_sale_events
      where transaction_id = ${fields.transaction_id}
    `
    const [pending] = await find()
    expect(pending).toMatchObject({ state: "pending" })
    expect((await show(pending?.id)).status).toBe(404)

    while ((await find())[0]?.state === "pending") await Bun.sleep(100)
    expect(await find()).toMatchObject([{ state: "complete", acknowledged_by: null }])
    expect((await sale(fields)).status).toBe(200)
    expect((await sale(fields)).status).toBe(409)
  }, 30_000)

  test("a renewal completes the subscription's first sale, and a retry gets 200", async () => {
    const subscription = { is_recurring: true, subscription_id: newTransaction() }
    const fields = { ...subscription, click_id: await newClick(program) }
    const first = { ...fields, transaction_id: newTransaction() }
    await breakCommissions()
    await sale(first).finally(restoreCommissions)

    const renewals = await Promise.all([sale(fields), sale(fields)])
    expect(renewals.map(({ status }) => status)).toEqual([200, 200])
    expect(renewals.map(({ body }) => body.commission_id)).toEqual(
      Array(2).fill(expect.any(Number)),
    )
    expect((await sale(first)).status).toBe(200)
    expect((await sale(first)).status).toBe(409)
  })
})

describe("refuses a sale", () => {
  let click_id: string
  let others: string
  let removed: string
  beforeAll(async () => {
    click_id = await newClick(program)
    others = await newClick(other)
    await sale({ customer_key: "bob", click_id: await newClick(other) }, other.api_token)
    const partner = await newPartner(program)
    removed = await newClick(partner)
    await send("PUT", `${program.path}/partners/${partner.partner_id}`, {
      token: program.session,
      body: { status: "removed" },
    })
  })
  const big = "x".repeat(256 * 1024 + 1)
  const good = () => ({ transaction_id: newTransaction(), amount_cents: 4_999, click_id })

  test.each<
    [number, string, () => { token?: string; body?: unknown; headers?: Record<string, string> }]
  >([
    [413, "too large", () => ({ body: big })],
    [415, "of another type", () => ({ body: "{}", headers: { "content-type": "text/html" } })],
    [401, "no credential, and not JSON either", () => ({ body: "{" })],
    [
      401,
      "another scheme",
      () => ({ body: "{", headers: { authorization: `Basic ${program.api_token}` } }),
    ],
    [401, "a mistyped token", () => ({ token: `${program.api_token}x`, body: "{" })],
    [401, "an unknown token", () => ({ token: mintToken("aff_"), body: "{" })],
    [401, "a management key", () => ({ token: mintToken("affk_"), body: "{" })],
    [401, "a session", () => ({ token: program.session, body: "{" })],
    [400, "not JSON", () => ({ token: program.api_token, body: "{" })],
    [400, "an array", () => ({ token: program.api_token, body: [] })],
  ])("%i: %s", async (status, _why, request) => {
    expect(await send("POST", SALE, request())).toMatchObject({
      status,
      body: { error: expect.any(String) },
    })
  })

  test.each<[string, () => object]>([
    ["no transaction_id", () => ({ transaction_id: null })],
    ["a transaction_id that is a number", () => ({ transaction_id: 7 })],
    ["an empty transaction_id", () => ({ transaction_id: "" })],
    ["a transaction_id of 256 characters", () => ({ transaction_id: "t".repeat(256) })],
    ["no amount", () => ({ amount_cents: null })],
    ["an amount that is text", () => ({ amount_cents: "4999" })],
    ["an amount of zero", () => ({ amount_cents: 0 })],
    ["a negative amount", () => ({ amount_cents: -1 })],
    ["a fraction", () => ({ amount_cents: 1.5 })],
    ["an amount of 2^53", () => ({ amount_cents: 2 ** 53 })],
    ["an amount that is true", () => ({ amount_cents: true })],
    ["an unknown currency", () => ({ currency: "ZZZ" })],
    ["a currency that is a number", () => ({ currency: 840 })],
    ["another sale_type", () => ({ sale_type: "gift" })],
    ["line_items that are a list of numbers", () => ({ line_items: [1] })],
    ["line_items of more than 16 KiB", () => ({ line_items: { note: "x".repeat(16 * 1024) } })],
    ["is_recurring that is text", () => ({ is_recurring: "yes" })],
    ["another interval", () => ({ subscription_interval: "weekly" })],
    ["an empty product_id", () => ({ product_id: "" })],
    ["test_mode that is a number", () => ({ additional_data: { test_mode: 1 } })],
    ["no customer", () => ({ click_id: undefined })],
    ["an unknown key", () => ({ click_id: undefined, customer_key: "unknown" })],
    ["another program's key", () => ({ click_id: undefined, customer_key: "bob" })],
    ["another program's click", () => ({ click_id: others })],
    ["a customer whose partner was removed", () => ({ click_id: removed })],
  ])("400: %s", async (_why, fields) => {
    const sales = () => sql`select count(*) as count from tracking.affiliate_sale_events`
    const before = await sales()
    expect(await post({ ...good(), ...fields() })).toMatchObject({
      status: 400,
      body: { error: expect.any(String) },
    })
    expect(await sales()).toEqual(before)
  })

  test("400: a customer whose partner-program record is missing", async () => {
    const partner = await newPartner(program)
    const click_id = await newClick(partner)
    await sql.begin(async sql => {
      await sql`set local session_replication_role = replica` // bypasses the foreign keys
      await sql`
        delete from tracking.partner_programs
        where partner_id = ${partner.partner_id}
      `
    })
    expect((await sale({ click_id })).status).toBe(400)
  })

  test("400: a removed partner comes before 409: another program's transaction_id", async () => {
    const transaction_id = newTransaction()
    const theirs = { transaction_id, click_id: others }
    expect((await sale(theirs, other.api_token)).status).toBe(200)
    expect((await sale({ transaction_id, click_id: removed })).status).toBe(400)
    expect((await sale({ transaction_id, click_id })).status).toBe(409)
  })

  test("400: no customer is named; the error says what to send", async () => {
    expect((await sale({})).body).toEqual({ error: "Send a click_id or a customer_key." })
  })

  test("1e2 cents are 100", async () => {
    const { body } = await post(
      `{"transaction_id": "${newTransaction()}", "amount_cents": 1e2, "click_id": "${click_id}"}`,
    )
    expect((await show(body.sale_id)).body.data.amount_cents).toBe(100)
  })
})
