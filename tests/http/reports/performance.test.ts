import { describe, expect, test } from "bun:test"
import { addClicks, addSales, type History, newCustomers, newHistory } from "../../support/history"
import { newMember } from "../../support/member"
import { newClick, newOwner, newPartner, newProgram, type TestProgram } from "../../support/program"
import { type Rows, recount } from "../../support/recount"
import { send, sql } from "../../support/world"

const DAY_MS = 24 * 60 * 60 * 1_000

const show = (program: { program_id: number; session?: string }, query = "") =>
  send("GET", `/api/tracking/performance/${program.program_id}?${query}`, {
    token: program.session,
  })

describe("GET /api/tracking/performance/:programId", () => {
  test("refuses in this order: session, program, membership, query", async () => {
    const program = await newProgram()
    const stranger = await newOwner()
    const suspended = await newMember(program, "admin", "suspended")
    const { program_id, session } = program

    for (const [status, why, id, token, query] of [
      [401, "no session", program_id, undefined, ""],
      [401, "no session, no program", 999_999_999, undefined, "period=1d"],
      [401, "junk", program_id, "junk", ""],
      [401, "a tracking token", program_id, program.api_token, ""],
      [401, "a Management key", program_id, `affk_${"0".repeat(38)}`, ""],
      [404, "no program has this id", 999_999_999, session, "period=1d"],
      [404, "an invalid id", "x", session, ""],
      [404, "id 0", 0, session, ""],
      [403, "another workspace", program_id, stranger.session, "period=1d"],
      [403, "a suspended member", program_id, suspended, ""],
      [400, "no such period", program_id, session, "period=1d"],
      [400, "a period in capitals", program_id, session, "period=ALL"],
      [400, "a property of every object", program_id, session, "period=constructor"],
      [400, "dateFrom alone", program_id, session, "dateFrom=2026-01-01"],
      [400, "dateTo alone", program_id, session, "dateTo=2026-01-01&period=7d"],
      [400, "dateTo is empty", program_id, session, "dateFrom=2026-01-01&dateTo="],
      [
        400,
        "a day that does not exist",
        program_id,
        session,
        "dateFrom=2026-02-29&dateTo=2026-03-01",
      ],
      [400, "not a date", program_id, session, "dateFrom=today&dateTo=2026-03-01"],
      [
        400,
        "the end is before the start",
        program_id,
        session,
        "dateFrom=2026-01-02&dateTo=2026-01-01",
      ],
      [400, "too long", program_id, session, "dateFrom=2016-01-01&dateTo=2026-01-09"],
      [400, "too early", program_id, session, "dateFrom=0001-01-01&dateTo=0001-01-02"],
    ] as const) {
      const path = `/api/tracking/performance/${id}?${query}`
      const { status: answered, body } = await send("GET", path, { token })
      expect({ why, status: answered, body }).toEqual({
        why,
        status,
        body: { error: expect.any(String) },
      })
    }
  })

  test("every active member may see it", async () => {
    const program = await newProgram()
    for (const role of ["admin", "analyst", "billing"]) {
      const session = await newMember(program, role)
      expect((await show({ ...program, session })).status).toBe(200)
    }
  })

  test("shows today's funnel immediately, in every field", async () => {
    const program = await newProgram()
    await newPartner(program)
    const click_id = await newClick(program)
    await newClick(program)
    await newClick(program)
    await track("lead", program, { click_id, customer_key: "ann" })
    for (const [n, amount_cents] of [4_999, 1].entries()) {
      const transaction_id = `p ${program.program_id} ${n}`
      await track("sale", program, { transaction_id, amount_cents, customer_key: "ann" })
    }
    await track("refund", program, { transaction_id: `p ${program.program_id} 0` })

    const { status, body } = await show(program)
    expect(status).toBe(200)
    const to = Date.parse(body.meta.dateTo)
    const nothing = { clicks: 0, leads: 0, conversions: 0, revenue: 0, partners: 0, commission: 0 }
    const something = {
      clicks: 3,
      leads: 1,
      conversions: 1,
      revenue: 50,
      partners: 2,
      commission: 15, // 1500 + 0, as they were created: gross of the refund
    }
    const risen = { trend: 100, trendDirection: "up" }
    expect(body).toEqual({
      data: Array.from({ length: 7 }, (_, i) => {
        const date = new Date(to - (6 - i) * DAY_MS).toISOString().slice(0, 10)
        return { date, period: date, sales: 0, ...(i === 6 ? something : nothing) }
      }),
      metrics: {
        totalClicks: 3,
        totalLeads: 1,
        totalConversions: 1,
        totalRevenue: 50,
        conversionRate: 33.33,
        averageOrderValue: 50,
        totalPartners: 2,
        totalSales: 2,
        totalPartnersCommission: 15,
        clicksTrend: risen,
        leadsTrend: risen,
        conversionsTrend: risen,
        revenueTrend: risen,
        partnersTrend: risen,
        salesTrend: risen,
        commissionTrend: risen,
      },
      meta: {
        period: "7d",
        dateFrom: new Date(to - 7 * DAY_MS + 1).toISOString(),
        dateTo: `${new Date().toISOString().slice(0, 10)}T23:59:59.999Z`,
        previousPeriod: {
          dateFrom: new Date(to - 14 * DAY_MS + 1).toISOString(),
          dateTo: new Date(to - 7 * DAY_MS).toISOString(),
        },
        otherCurrencies: [],
      },
    })
  })

  test("a program without any activity has zeros and stable trends", async () => {
    const program = await newProgram()
    const { body } = await show(program, "dateFrom=2020-01-01&dateTo=2020-01-03")
    expect(body.data).toHaveLength(3)
    expect(body.metrics).toMatchObject({ conversionRate: 0, averageOrderValue: 0, totalRevenue: 0 })
    expect(body.metrics.revenueTrend).toEqual({ trend: 0, trendDirection: "stable" })
  })

  test.each([
    [7, ""],
    [7, "period=7d"],
    [30, "period=30d"],
    [90, "period=90d"],
  ])("%i days end with today: %s", async (days, query) => {
    const { body } = await show(await newProgram(), query)
    expect(body.data).toHaveLength(days)
    expect(body.meta.period).toBe(`${days}d`)
    expect(body.data.at(-1).date).toBe(new Date().toISOString().slice(0, 10))
    expect(body.meta.dateFrom).toBe(`${body.data[0].date}T00:00:00.000Z`)
  })

  test("period=all starts on the day on which the program was created", async () => {
    const program = await newProgram()
    const created_at = new Date(Date.now() - 400 * DAY_MS).toISOString()
    await sql`
      update identity.programs
      set created_at = ${created_at}
      where id = ${program.program_id}
    `
    const { body } = await show(program, "period=all")
    expect(body.meta.period).toBe("all")
    expect(body.meta.dateFrom).toBe(`${created_at.slice(0, 10)}T00:00:00.000Z`)
    expect(body.data).toHaveLength(401)
  })

  test("a range overrides the period, even an unknown one", async () => {
    const query = "period=1d&dateFrom=2026-01-01T06:00:00Z&dateTo=2026-01-02T05:59:59.999Z"
    const { status, body } = await show(await newProgram(), query)
    expect(status).toBe(200)
    expect(body.meta).toEqual({
      period: "custom",
      dateFrom: "2026-01-01T06:00:00.000Z",
      dateTo: "2026-01-02T05:59:59.999Z",
      previousPeriod: { dateFrom: "2025-12-31T06:00:00.000Z", dateTo: "2026-01-01T05:59:59.999Z" },
      otherCurrencies: [],
    })
    expect(body.data.map(({ date }: { date: string }) => date)).toEqual([
      "2026-01-01",
      "2026-01-02",
    ])
  })

  test.each([["USD"], ["JPY"], ["KWD"]])("equals a recount of the rows (%s)", async currency => {
    const program = await newProgram({ currency })
    const history = await newHistory(program, {
      customers: 120,
      first: "2025-12-20",
      days: 60,
      currencies: [currency, currency, "EUR", "GBP"],
    })
    for (const [from, to] of [
      ["2025-12-20", "2026-02-20"],
      ["2026-01-10", "2026-01-19"],
      ["2026-01-10", "2026-01-10"],
      ["2026-01-10T07:08:09.123Z", "2026-01-20T21:22:23.456Z"],
      ["2026-01-10T07:00:00Z", "2026-01-10T19:00:00Z"],
      ["2026-01-10T00:00:00Z", "2026-01-20T12:00:00Z"],
      ["2026-01-10T12:00:00Z", "2026-01-19T23:59:59.999Z"],
      ["2026-01-10T23:00:00Z", "2026-01-11T01:00:00Z"],
      ["2026-01-10T02:00:00+02:00", "2026-01-12T01:59:59.999+02:00"],
      ["2018-03-01", "2028-03-01"],
      ["9999-12-30T12:00:00Z", "9999-12-31"],
    ] as const) {
      const query = new URLSearchParams({ dateFrom: from, dateTo: to })
      const { status, body } = await show(program, `${query}`)
      expect(status).toBe(200)
      expect(body).toEqual(recount(rowsOf(history), currency, from, to))
    }
  })

  test("adds up more cents than a number can hold", async () => {
    const program = await newProgram()
    const [customer_id] = (await newCustomers(program, 1)) as [number]
    const sale = { customer_id, at: "2026-01-01T00:00:00.000Z", currency: "USD", converts: false }
    const amount_cents = Number.MAX_SAFE_INTEGER
    await addSales(program, Array(1_100).fill({ ...sale, amount_cents }))

    const { body } = await show(program, "dateFrom=2026-01-01&dateTo=2026-01-01")
    expect(body.metrics.totalRevenue).toBe(Number((BigInt(amount_cents) * 1_100n) / 100n))
    expect(body.metrics.totalSales).toBe(1_100)
  })

  test.each([
    [3, 3, 0, "stable"],
    [1, 3, 66.7, "down"],
    [4, 3, 33.3, "up"],
    [0, 2, 100, "down"],
    [2, 0, 100, "up"],
    [9, 2, 350, "up"],
    [401, 400, 0.3, "up"], // 0.25, half up
  ])("%i clicks after %i are a trend of %p %s", async (now, before, trend, trendDirection) => {
    const program = await newProgram()
    const [customer_id] = (await newCustomers(program, 1)) as [number]
    const clicks = (count: number, at: string) =>
      Array<object>(count).fill({ customer_id, at, page_url: "/" }) as Parameters<
        typeof addClicks
      >[1]
    await addClicks(program, clicks(now, "2026-01-02T00:00:00.000Z"))
    await addClicks(program, clicks(before, "2026-01-01T23:59:59.999Z"))

    const { body } = await show(program, "dateFrom=2026-01-02&dateTo=2026-01-02")
    expect(body.metrics.clicksTrend).toEqual({ trend, trendDirection })
  })
})

/** The rows of the owners' tables: also the program's first partner, who joined just now. */
const rowsOf = (history: History): Rows => ({
  ...history,
  conversions: history.sales.filter(sale => sale.converts),
  partners: [...history.partners, { at: new Date().toISOString() }],
})

const track = async (what: string, program: TestProgram, body: object) => {
  const answer = await send("POST", `/api/v1/track/${what}`, { token: program.api_token, body })
  expect(answer.status).toBe(200)
}
