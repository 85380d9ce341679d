import { beforeAll, describe, expect, test } from "bun:test"
import { mintToken } from "../../../lib/token"
import { newClick, newProgram, type TestProgram } from "../../support/program"
import { send, sql } from "../../support/world"

let program: TestProgram
let other: TestProgram
beforeAll(async () => {
  program = await newProgram()
  other = await newProgram()
})

const REFUND = "/api/v1/track/refund"
let count = 0
const refund = (body: unknown, token = program.api_token) => send("POST", REFUND, { token, body })

/** Records a sale of 49.99, which earns a commission of 15.00. */
async function newSale(fields: object = {}) {
  const transaction_id = `r-${process.pid}-${Date.now()}-${++count}`
  const { body } = await send("POST", "/api/v1/track/sale", {
    token: program.api_token,
    body: { transaction_id, amount_cents: 4_999, click_id: await newClick(program), ...fields },
  })
  return { transaction_id, ...(body as { sale_id: number; commission_id: number | null }) }
}

const commissionOf = async ({ sale_id }: { sale_id: number }) =>
  (await send("GET", `${program.path}/sales/${sale_id}`, { token: program.session })).body.data
    .commission

describe("POST /api/v1/track/refund", () => {
  test("of the full amount reverses the commission", async () => {
    const sale = await newSale()
    const refund_reason = "It did not fit"
    expect((await refund({ transaction_id: sale.transaction_id, refund_reason })).body).toEqual({
      success: true,
      status: "reversed",
      deductionAmount: 15,
      commission_id: sale.commission_id,
    })
    expect(await commissionOf(sale)).toMatchObject({
      status: "reversed",
      refund_reason,
      refunded_cents: 4_999,
    })
  })

  test("of 0 refunds the full amount", async () => {
    const { transaction_id } = await newSale()
    const { body } = await refund({ transaction_id, refund_amount_cents: 0 })
    expect(body).toMatchObject({ status: "reversed", deductionAmount: 15 })
  })

  test.each([
    [2_500, 7.5], // 1500 × 2500 / 4999 = 750.15
    [1, 0],
    [4_999, 15], // a positive amount is a partial refund, even the full amount
  ])("of %i cents deducts its share: %d", async (refund_amount_cents, deductionAmount) => {
    const sale = await newSale()
    const { body } = await refund({ transaction_id: sale.transaction_id, refund_amount_cents })
    expect(body).toMatchObject({ success: true, status: "refunded", deductionAmount })
    expect(await commissionOf(sale)).toMatchObject({
      status: "refunded",
      refunded_cents: refund_amount_cents,
    })
  })

  test("deducts in the units of the commission's currency", async () => {
    const { transaction_id } = await newSale({ currency: "JPY" })
    expect((await refund({ transaction_id })).body.deductionAmount).toBe(1_500)
  })

  test("is skipped the second time, with a reason", async () => {
    const { transaction_id, commission_id } = await newSale()
    await refund({ transaction_id })
    for (const refund_amount_cents of [0, 1, 9_999]) {
      const { status, body } = await refund({ transaction_id, refund_amount_cents })
      expect({ status, body }).toEqual({
        status: 200,
        body: { success: true, status: "skipped", reason: expect.any(String), commission_id },
      })
    }
  })

  test("deducts once for 40 concurrent requests", async () => {
    const sale = await newSale()
    const { transaction_id } = sale
    const answers = await Promise.all(Array.from({ length: 40 }, () => refund({ transaction_id })))
    expect(answers.map(({ body }) => body.status).sort()).toEqual([
      "reversed",
      ...Array(39).fill("skipped"),
    ])
    const deductions = await sql`
      select amount_cents
      from commissions.ledger
      where commission_id = ${sale.commission_id}
        and kind = 'deduction'
    `
    expect(deductions).toMatchObject([{ amount_cents: -1_500 }])
  })

  test("adds up parts with different refund_ids", async () => {
    const sale = await newSale()
    const part = (refund_id: string, refund_amount_cents?: number) =>
      refund({ transaction_id: sale.transaction_id, refund_id, refund_amount_cents })

    expect((await part("a", 1_000)).body).toMatchObject({ status: "refunded", deductionAmount: 3 })
    expect((await part("a", 1_000)).body).toMatchObject({ status: "skipped" })
    expect((await part("b", 4_000)).status).toBe(400) // more than remains
    expect((await refund({ transaction_id: sale.transaction_id })).body.status).toBe("skipped")
    expect((await part("b", 3_999)).body).toMatchObject({ deductionAmount: 12 })
    expect((await part("c", 1)).body).toMatchObject({ status: "skipped" })
    expect(await commissionOf(sale)).toMatchObject({ status: "refunded", refunded_cents: 4_999 })
  })

  test("of a sale without a commission says so", async () => {
    const click_id = await newClick(program)
    await sql`
      update tracking.customers
      set attributed_at = now() - interval '61 days'
      where click_id = ${click_id}
    `
    const { transaction_id } = await newSale({ click_id })
    const { status, body } = await refund({ transaction_id })
    expect({ status, body }).toEqual({
      status: 200,
      body: { success: true, status: "no_commission", message: expect.any(String) },
    })
    expect((await refund({ transaction_id, refund_amount_cents: 5_000 })).status).toBe(400)
  })

  test("completes a pending sale first", async () => {
    const fields = { transaction_id: `pending ${Date.now()}`, click_id: await newClick(program) }
    await sql`alter table commissions.commissions rename to away`
    const sold = await newSale(fields).finally(
      () => sql`alter table commissions.away rename to commissions`,
    )
    expect(sold.sale_id).toBeUndefined()
    const { body } = await refund({ transaction_id: fields.transaction_id })
    expect(body).toMatchObject({ status: "reversed", deductionAmount: 15 })
  })
})

describe("a refund of a sale that has no commission yet", () => {
  test("must be sent again where the commission cannot be created", async () => {
    const fields = { transaction_id: `waits ${Date.now()}`, click_id: await newClick(program) }
    await sql`alter table commissions.commissions rename to away`
    const refunded = newSale(fields).then(() => refund({ transaction_id: fields.transaction_id }))
    const { status, body } = await refunded.finally(
      () => sql`alter table commissions.away rename to commissions`,
    )
    expect({ status, body }).toEqual({
      status: 500,
      body: { error: "The sale has no commission yet: send the same refund again." },
    })
  })
})

describe("refuses a refund", () => {
  let sale: { transaction_id: string; sale_id: number }
  beforeAll(async () => {
    sale = await newSale()
  })
  const mine = (fields: object) => ({
    token: program.api_token,
    body: { transaction_id: sale.transaction_id, ...fields },
  })

  test.each<
    [number, string, () => { token?: string; body?: unknown; headers?: Record<string, string> }]
  >([
    [413, "too large", () => ({ body: "x".repeat(256 * 1024 + 1) })],
    [415, "encoded", () => ({ body: "{}", headers: { "content-encoding": "br" } })],
    [401, "no credential, and not JSON either", () => ({ body: "{" })],
    [401, "an unknown token", () => ({ token: mintToken("aff_"), body: "{" })],
    [401, "a session", () => ({ token: program.session, body: "{" })],
    [400, "not JSON", () => ({ token: program.api_token, body: "{" })],
    [400, "no transaction_id", () => mine({ transaction_id: null })],
    [400, "a transaction_id that is a number", () => mine({ transaction_id: 7 })],
    [400, "a negative amount", () => mine({ refund_amount_cents: -1 })],
    [
      400,
      "minus zero",
      () => ({
        token: program.api_token,
        body: `{"transaction_id": "${sale.transaction_id}", "refund_amount_cents": -0}`,
      }),
    ],
    [400, "an amount that is text", () => mine({ refund_amount_cents: "1" })],
    [400, "a fraction", () => mine({ refund_amount_cents: 0.5 })],
    [400, "an empty refund_id", () => mine({ refund_id: "" })],
    [
      400,
      "malformed, and of an unknown sale",
      () => mine({ transaction_id: "nowhere", refund_amount_cents: -1 }),
    ],
    [404, "no such sale", () => mine({ transaction_id: "nowhere", refund_amount_cents: 9_999 })],
    [404, "another program's sale", () => ({ ...mine({}), token: other.api_token })],
    [400, "more than the sale", () => mine({ refund_amount_cents: 5_000 })],
  ])("%i: %s", async (status, _why, request) => {
    expect(await send("POST", REFUND, request())).toMatchObject({
      status,
      body: { error: expect.any(String) },
    })
    expect(await commissionOf(sale)).toMatchObject({ status: "pending", refunded_cents: 0 })
  })
})
