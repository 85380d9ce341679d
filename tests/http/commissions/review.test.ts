import { beforeAll, describe, expect, test } from "bun:test"
import { entriesOf, newSale, refund, sell, settle, wrongBalances } from "../../support/books"
import { newPartner, newProgram, type TestProgram } from "../../support/program"
import { send, sql } from "../../support/world"

const commission = { kind: "percent", rate_bps: 1_000, auto_approve: false }

let program: TestProgram
beforeAll(async () => {
  program = await newProgram({ commission })
})

const get = async (path: string, of = program) =>
  send("GET", `${of.path}${path}`, { token: of.session })
const idsOf = async (query: string, of = program): Promise<number[]> => {
  const { status, body } = await get(`/commissions?${query}&pageSize=100`, of)
  expect(status, JSON.stringify(body)).toBe(200)
  return body.data.map(({ id }: { id: number }) => id)
}
const bulk = (body: object, of = program) =>
  send("POST", `${of.path}/commissions/bulk`, { token: of.session, body })

describe("the list of commissions", () => {
  test("is filtered by transaction, days, approval and currency", async () => {
    const program = await newProgram({ commission })
    const old = await sell(program, program.code)
    const yen = await sell(program, program.code, { currency: "JPY" })
    const approved = await sell(program, program.code)
    await settle(program, approved.commission_id, "approve")
    await sql`
      update commissions.commissions
      set created_at = '2026-01-31T23:59:59.999Z'
      where id = ${old.commission_id}
    `
    const [a, b, c] = [old, yen, approved].map(({ commission_id }) => commission_id)
    for (const [query, ids] of [
      ["", [c, b, a]],
      [`transaction_id=${yen.transaction_id}`, [b]],
      ["transaction_id=unknown", []],
      [`commission_id=${approved.commission_id}`, [c]],
      [`commission_id=${approved.commission_id}&status=pending`, []],
      ["dateTo=2026-01-31", [a]],
      ["dateFrom=2026-01-31&dateTo=2026-01-31", [a]],
      ["dateTo=2026-01-31T23:59:59.998Z", []],
      ["dateFrom=2026-02-01", [c, b]],
      ["needs_approval=true", [b, a]],
      ["needs_approval=false", [c]],
      ["other_currency=true", [b]],
      ["other_currency=false&status=pending", [a]],
    ] as const) {
      expect(await idsOf(query, program), query).toEqual([...ids] as number[])
    }
  })

  test("is sorted, equal rows in one order", async () => {
    const program = await newProgram({ commission })
    const sales = []
    for (const amount_cents of [3_000, 1_000, 3_000]) {
      sales.push(await sell(program, program.code, { amount_cents }))
    }
    const [a, b, c] = sales.map(({ commission_id }) => commission_id)
    expect(await idsOf("sort=created_at", program)).toEqual([a!, b!, c!])
    expect(await idsOf("sort=-created_at", program)).toEqual([c!, b!, a!])
    expect(await idsOf("sort=amount_cents", program)).toEqual([b!, a!, c!])
    expect(await idsOf("sort=-amount_cents", program)).toEqual([c!, a!, b!])
    expect(await idsOf("sort=hold_ends_at", program)).toEqual([a!, b!, c!])
  })

  test.each([
    ["sort=partner_id"],
    ["needs_approval=yes"],
    ["dateFrom=2026-02-30"],
    ["dateFrom=2026-02-02&dateTo=2026-02-01"],
    ["dateFrom=2000-01-01&dateTo=2026-01-01"],
  ])("refuses %s (400)", async query => {
    for (const path of ["/commissions", "/commissions/summary"]) {
      if (path.endsWith("summary") && query.startsWith("sort")) continue
      const reply = await get(`${path}?${query}`)
      expect(reply).toMatchObject({ status: 400, body: { error: expect.any(String) } })
    }
  })

  test("adds up to its summary, by status and currency", async () => {
    const program = await newProgram({ commission })
    for (const [currency, amount_cents] of [
      ["USD", 1_000],
      ["USD", 2_000],
      ["KWD", 5_000],
    ] as const) {
      await sell(program, program.code, { currency, amount_cents })
    }
    const { commission_id } = await sell(program, program.code, { amount_cents: 7_000 })
    await settle(program, commission_id, "reject")
    const sum = (status: string, currency: string, count: number, amount_cents: number) => ({
      status,
      currency,
      count,
      amount_cents,
    })
    expect((await get("/commissions/summary", program)).body.data).toEqual([
      sum("pending", "KWD", 1, 500),
      sum("pending", "USD", 2, 300),
      sum("rejected", "USD", 1, 700),
    ])
    expect((await get("/commissions/summary?other_currency=true", program)).body.data).toEqual([
      sum("pending", "KWD", 1, 500),
    ])
    expect((await get("/commissions/summary?transaction_id=unknown", program)).body.data).toEqual(
      [],
    )
  })
})

describe("a bulk step", () => {
  test("approves and rejects row by row, in the order of the request, each once", async () => {
    const { partner_id, code } = await newPartner(program)
    const sales = [await sell(program, code), await sell(program, code), await sell(program, code)]
    const [a, b, c] = sales.map(({ commission_id }) => commission_id)
    await settle(program, b!, "reject", { reason: "Before" })
    const foreign = (await newSale(await newProgram())).commission_id

    const reply = await bulk({ action: "approve", ids: [c, b, foreign, a, c] })
    expect(reply.status).toBe(200)
    expect(reply.body.data).toEqual([
      { id: c, ok: true },
      {
        id: b,
        ok: false,
        error: "The commission is rejected: only a pending one can be approved.",
      },
      { id: foreign, ok: false, error: "Commission not found in this program." },
      { id: a, ok: true },
    ])
    const rejected = await bulk({ action: "reject", ids: [a, c], reason: "Own purchase." })
    expect(rejected.body.data.map(({ ok }: { ok: boolean }) => ok)).toEqual([true, true])
    const { body } = await get(`/commissions?partner_id=${partner_id}`)
    const shown = body.data.map(
      ({ rejection_reason }: { rejection_reason: string }) => rejection_reason,
    )
    expect(shown).toEqual(["Own purchase.", "Before", "Own purchase."])
    expect(await entriesOf(partner_id)).toHaveLength(6)
    expect(await wrongBalances()).toHaveLength(0)
  })

  test("of 500 with 10 impossible rows does 490, and says which 10 (H3)", async () => {
    const program = await newProgram({ commission })
    const sold: number[] = []
    const sellSome = async () => {
      while (sold.length < 490) sold.push((await sell(program, program.code)).commission_id)
    }
    await Promise.all(Array.from({ length: 10 }, sellSome))
    const possible = sold.slice(0, 490)
    const impossible = Array.from({ length: 10 }, (_, i) => 9_000_000_000 + i)
    const ids = [...possible.slice(0, 245), ...impossible, ...possible.slice(245)]
    const done = new Map<number, boolean>()
    for (let tries = 0; tries < 5; tries++) {
      const { body } = await bulk({ action: "approve", ids }, program)
      for (const { id, ok } of body.data) done.set(id, ok)
      if (possible.every(id => done.get(id))) break // else there was no time left: safe to repeat
    }
    expect([...done.keys()]).toEqual(ids)
    expect(ids.filter(id => !done.get(id))).toEqual(impossible)
  }, 60_000)

  test.each<[string, object]>([
    ["an unknown action", { action: "pay", ids: [1] }],
    ["no ids", { action: "approve" }],
    ["an empty list", { action: "approve", ids: [] }],
    ["ids that are texts", { action: "approve", ids: ["1"] }],
    ["501 ids", { action: "approve", ids: Array.from({ length: 501 }, (_, i) => i + 1) }],
    ["a rejection without a reason", { action: "reject", ids: [1] }],
    ["an empty reason", { action: "reject", ids: [1], reason: "" }],
  ])("refuses %s (400)", async (_why, body) => {
    expect(await bulk(body)).toMatchObject({ status: 400, body: { error: expect.any(String) } })
  })
})

test("attention counts what waits for a person, and its paths name the pages", async () => {
  const program = await newProgram({ commission })
  const data = async () => (await get("/attention", program)).body.data
  const paths = `/programs/${program.program_id}/commissions`
  expect(await data()).toEqual({
    commissions_to_review: { count: 0, path: `${paths}?needs_approval=true` },
    refunds_after_payment: {
      count: 0,
      path: `/workspaces/${program.workspace_id}/notifications?unread=true`,
    },
    currency_mismatch: { count: 0, path: `${paths}?status=pending&other_currency=true` },
  })
  await sell(program, program.code, { currency: "JPY" })
  const { commission_id, transaction_id } = await sell(program, program.code)
  await settle(program, commission_id, "approve")
  await settle(program, commission_id, "mark-paid")
  await refund(program, { transaction_id })
  const counts = Object.values((await data()) as Record<string, { count: number }>)
  expect(counts.map(({ count }) => count)).toEqual([1, 1, 1])

  await send("POST", "/api/advertiser/notifications/read", { token: program.session, body: {} })
  expect((await data()).refunds_after_payment.count).toBe(0)
})
