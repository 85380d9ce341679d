import { beforeAll, describe, expect, test } from "bun:test"
import { entriesOf, newSale, refund, sell, settle } from "../../support/books"
import { newMember } from "../../support/member"
import { newPartner, newProgram, type TestProgram } from "../../support/program"
import { send, sql } from "../../support/world"

let program: TestProgram
let other: TestProgram
let analyst: string
let billing: string
beforeAll(async () => {
  program = await newProgram()
  other = await newProgram()
  analyst = await newMember(program, "analyst")
  billing = await newMember(program, "billing")
})

const JSON_TYPE = { "content-type": "application/json" } // also for bodies that are not JSON
const call = (method: string, path: string, body?: unknown, token = program.session) =>
  send(method, `${program.path}/commissions${path}`, { token, body, headers: JSON_TYPE })

type Sale = Awaited<ReturnType<typeof newSale>>
const shownOf = async ({ partner_id, commission_id }: Sale) => {
  const { body } = await call("GET", `?partner_id=${partner_id}`)
  return body.data.find((commission: { id: number }) => commission.id === commission_id)
}

describe("commissions", () => {
  test("are listed once each while sales arrive", async () => {
    const { partner_id, code } = await newPartner(program)
    let hasEnded = false
    const selling = (async () => {
      while (!hasEnded) await sell(program, code)
    })()
    try {
      for (let i = 0; i < 100; i++) {
        const { body } = await call("GET", `?partner_id=${partner_id}&pageSize=100`)
        const ids = body.data.map(({ id }: { id: number }) => id)
        expect(ids).toEqual([...new Set(ids)])
        expect(ids.length).toBe(Math.min(100, body.meta.pagination.total))
      }
    } finally {
      hasEnded = true
      await selling
    }
  })

  test("are listed newest first and filtered by status and partner", async () => {
    const { partner_id, code } = await newPartner(program)
    const sales = [await sell(program, code), await sell(program, code), await sell(program, code)]
    const [first, second, third] = sales.map(({ commission_id }) => commission_id)
    await settle(program, second!, "approve")
    const idsOf = async (query: string) => {
      const { body } = await call("GET", `?partner_id=${partner_id}&${query}`)
      return body.data.map(({ id }: { id: number }) => id)
    }
    expect(await idsOf("")).toEqual([third, second, first])
    expect(await idsOf("status=approved")).toEqual([second])
    expect(await idsOf("status=pending")).toEqual([third, first])
    expect(await idsOf("status=paid")).toEqual([])
    expect(await idsOf("page=2&pageSize=2")).toEqual([first])

    const { body } = await call("GET", `?partner_id=${partner_id}&pageSize=1`)
    expect(body.meta.pagination).toEqual({ page: 1, pageSize: 1, pageCount: 3, total: 3 })
    expect(body.data[0]).toEqual({
      id: third,
      sale_id: sales[2]!.sale_id,
      transaction_id: sales[2]!.transaction_id,
      partner_id,
      partner_name: "Partner",
      group_id: expect.any(Number),
      amount_cents: 1_500,
      currency: "USD",
      status: "pending",
      refund_reason: null,
      rejection_reason: null,
      refunded_cents: 0,
      net_cents: 1_500,
      auto_approve: true,
      hold_ends_at: expect.any(String),
      policy_version: 1,
      created_at: expect.any(String),
    })
    const { hold_ends_at, created_at } = body.data[0]
    expect(Date.parse(hold_ends_at) - Date.parse(created_at)).toBe(15 * 86_400_000)
  })

  /** Brings a new commission to each status. */
  const TRANSITIONS: Record<string, (sale: Sale) => Promise<unknown>> = {
    pending: async () => {},
    approved: ({ commission_id }) => settle(program, commission_id, "approve"),
    paid: async ({ commission_id }) => {
      await settle(program, commission_id, "approve")
      await settle(program, commission_id, "mark-paid")
    },
    rejected: ({ commission_id }) => settle(program, commission_id, "reject", { reason: "Fraud" }),
    reversed: ({ transaction_id }) => refund(program, { transaction_id }),
    refunded: ({ transaction_id }) =>
      refund(program, { transaction_id, refund_amount_cents: 1_000 }),
  }
  const EARNED = "commission 1500"

  test.each<[number, string, string, string, string[]]>([
    [200, "approve", "pending", "approved", [EARNED]],
    [200, "approve", "approved", "approved", [EARNED]],
    [409, "approve", "paid", "paid", [EARNED, "payout -1500"]],
    [409, "approve", "rejected", "rejected", [EARNED, "rejection -1500"]],
    [409, "approve", "reversed", "reversed", [EARNED, "deduction -1500"]],
    [409, "approve", "refunded", "refunded", [EARNED, "deduction -300"]],
    [200, "reject", "pending", "rejected", [EARNED, "rejection -1500"]],
    [200, "reject", "approved", "rejected", [EARNED, "rejection -1500"]],
    [200, "reject", "rejected", "rejected", [EARNED, "rejection -1500"]],
    [409, "reject", "paid", "paid", [EARNED, "payout -1500"]],
    [409, "reject", "reversed", "reversed", [EARNED, "deduction -1500"]],
    [409, "reject", "refunded", "refunded", [EARNED, "deduction -300"]],
    [409, "mark-paid", "pending", "pending", [EARNED]],
    [200, "mark-paid", "approved", "paid", [EARNED, "payout -1500"]],
    [200, "mark-paid", "paid", "paid", [EARNED, "payout -1500"]],
    [409, "mark-paid", "rejected", "rejected", [EARNED, "rejection -1500"]],
    [409, "mark-paid", "reversed", "reversed", [EARNED, "deduction -1500"]],
    [409, "mark-paid", "refunded", "refunded", [EARNED, "deduction -300"]],
  ])("%i: %s, when it is %s", async (status, step, before, after, entries) => {
    const sale = await newSale(program)
    await TRANSITIONS[before]!(sale)
    const reply = await settle(program, sale.commission_id, step)

    expect(reply.status).toBe(status)
    const shown = await shownOf(sale)
    expect(shown.status).toBe(after)
    expect(reply.body).toEqual(status === 200 ? { data: shown } : { error: expect.any(String) })
    expect(await entriesOf(sale.partner_id)).toEqual(entries)
  })

  test("keep the first rejection reason", async () => {
    const sale = await newSale(program)
    await settle(program, sale.commission_id, "reject", { reason: "Fraud" })
    await settle(program, sale.commission_id, "reject", { reason: "Something else" })
    expect((await shownOf(sale)).rejection_reason).toBe("Fraud")
  })

  test("are settled once when calls race", async () => {
    const sale = await newSale(program)
    await settle(program, sale.commission_id, "approve")
    const racing = ["mark-paid", "reject", "mark-paid", "reject", "mark-paid", "reject"].map(step =>
      settle(program, sale.commission_id, step),
    )
    const statuses = (await Promise.all(racing)).map(({ status }) => status).sort()
    expect(statuses).toEqual([200, 200, 200, 409, 409, 409])
    expect(await entriesOf(sale.partner_id)).toHaveLength(2)
  })

  /** Waits for a status. Returns false if the commission does not reach it. */
  async function reaches(sale: Sale, status: string) {
    for (let tries = 0; tries < 100; tries++) {
      if ((await shownOf(sale)).status === status) return true
      await Bun.sleep(50)
    }
    return false
  }

  test("are approved when their hold ends, if their policy allows it", async () => {
    const held = await newSale(program)
    const due = await newSale(program)
    const manual = await newSale(program)
    await sql`
      update commissions.commissions
      set
        hold_ends_at = now(),
        auto_approve = id = ${due.commission_id}
      where id in (${due.commission_id}, ${manual.commission_id})
    `
    expect(await reaches(due, "approved")).toBe(true)
    expect(await reaches(held, "pending")).toBe(true)
    expect(await reaches(manual, "pending")).toBe(true)
  })

  test("without a hold can be approved at once", async () => {
    const commission = { kind: "percent", rate_bps: 10_000, hold_days: 0, auto_approve: false }
    const strict = await newProgram({ commission })
    const sale = await newSale(strict)
    const { body } = await settle(strict, sale.commission_id, "approve")
    expect(body.data).toMatchObject({ status: "approved", amount_cents: 4_999 })
    expect(body.data.hold_ends_at).toBe(body.data.created_at)
  })

  const refusals: [number, string, () => Promise<{ status: number; body: unknown }>][] = [
    [401, "no credential, and invalid JSON", () => call("POST", "/1/approve", "{", "")],
    [401, "a tracking token", () => call("GET", "", undefined, program.api_token)],
    [404, "another workspace's program", () => call("GET", "", undefined, other.session)],
    [404, "an invalid commission id", () => call("POST", "/0x1/reject", "{")],
    [404, "an unknown commission", () => call("POST", "/999999999/reject", "{")],
    [
      403,
      "an unknown commission, by an analyst",
      () => call("POST", "/999999999/reject", "{", analyst),
    ],
    [400, "an unknown status", () => call("GET", "?status=owed")],
    [400, "an invalid partner_id", () => call("GET", "?partner_id=ada")],
    [400, "an invalid page", () => call("GET", "?page=1.5")],
  ]
  test.each(refusals)("%i: %s", async (status, _why, refused) => {
    expect(await refused()).toMatchObject({ status, body: { error: expect.any(String) } })
  })

  test.each([
    ["invalid JSON", "{"],
    ["an array", "[]"],
    ["no body", undefined],
    ["no reason", {}],
    ["a reason that is null", { reason: null }],
    ["an empty reason", { reason: "" }],
    ["a reason that is a number", { reason: 7 }],
    ["a reason that is too long", { reason: "x".repeat(1_025) }],
  ])("are not rejected (400) by %s", async (_why, body) => {
    const sale = await newSale(program)
    expect((await call("POST", `/${sale.commission_id}/reject`, body)).status).toBe(400)
    expect((await shownOf(sale)).status).toBe("pending")
  })

  test("another program's commission is not found", async () => {
    const { commission_id } = await newSale(other)
    expect((await settle(program, commission_id, "approve")).status).toBe(404)
  })

  test("an analyst may read, a billing member may settle", async () => {
    const { commission_id } = await newSale(program)
    expect((await call("GET", "", undefined, analyst)).status).toBe(200)
    expect((await call("GET", "", undefined, billing)).status).toBe(200)
    expect((await settle({ ...program, session: billing }, commission_id, "approve")).status).toBe(
      200,
    )
  })
})

describe("renewals", () => {
  const first = { is_recurring: true, sale_type: "subscription" }
  const backdate = (sale_id: number, age: string) => sql`
    update commissions.commissions
    set sale_date = now() - ${age}::interval
    where sale_id = ${sale_id}
  `

  test.each<[number | null, string, boolean]>([
    [null, "1000 months", true],
    [12, "11 months", true],
    [12, "12 months", false],
    [0, "0 months", false],
  ])("with a duration of %p months, after %s: earns %p", async (duration_months, age, earns) => {
    const commission = { kind: "percent", rate_bps: 1_000, duration_months }
    const program = await newProgram({ commission })
    const subscription = { ...first, subscription_id: "s1" }
    const { sale_id } = await sell(program, program.code, subscription)
    await backdate(sale_id, age)

    const renewal = await sell(program, program.code, subscription)
    expect(renewal.commission_id).toEqual(earns ? expect.any(Number) : null)
    expect(renewal).toMatchObject(earns ? {} : { reason: "commission_duration_ended" })
    expect(await entriesOf(program.partner_id)).toHaveLength(earns ? 2 : 1)
  })

  test("earn at the current rate, for the duration of the first sale's policy", async () => {
    const commission = { kind: "percent", rate_bps: 1_000, duration_months: 1 }
    const program = await newProgram({ commission })
    const subscription = { ...first, subscription_id: "s1" }
    const { sale_id } = await sell(program, program.code, subscription)
    await send("PUT", program.path, {
      token: program.session,
      body: { commission: { kind: "fixed", amount_cents: 9, duration_months: null } },
    })
    await sell(program, program.code, subscription)
    expect(await entriesOf(program.partner_id)).toEqual(["commission 500", "commission 9"])

    await backdate(sale_id, "1 month")
    expect((await sell(program, program.code, subscription)).commission_id).toBeNull()
  })
})
