import { beforeAll, describe, expect, test } from "bun:test"
import { sell } from "../../support/books"
import { refusesBadCredentials } from "../../support/credentials"
import { newKey } from "../../support/key"
import { newMember } from "../../support/member"
import { newOwner, newProgram, newProgramOf, type TestProgram } from "../../support/program"
import { send, sql } from "../../support/world"

const SUMMARY = "/api/advertiser/dashboard/summary"
const get = (path: string, token: string, headers = {}) => send("GET", path, { token, headers })
const performance = ({ program_id, session }: TestProgram, query = "") =>
  get(`/api/tracking/performance/${program_id}${query}`, session)

let first: TestProgram
let second: TestProgram
let yen: TestProgram
beforeAll(async () => {
  first = await newProgram()
  second = await newProgramOf(first)
  yen = await newProgramOf(first, { currency: "JPY" })
  await sell(first, first.code)
  await sell(first, first.code, { amount_cents: 700, currency: "EUR" })
  await sell(second, second.code, { amount_cents: 10_001 })
  await sell(yen, yen.code, { amount_cents: 1_234, currency: "JPY" })
})

describe("GET /api/advertiser/affiliate-programs/:id/aggregates", () => {
  test.each(["", "?period=30d", "?period=all", "?dateFrom=2026-01-01&dateTo=2026-12-31"])(
    "returns the metrics and meta of the performance report: %p",
    async query => {
      const { metrics, meta } = (await performance(first, query)).body
      expect(await get(`${first.path}/aggregates${query}`, first.session)).toMatchObject({
        status: 200,
        body: { data: metrics, meta },
      })
      const { body } = await get(`${first.path}/aggregates${query}`, first.session)
      expect(body).toEqual({ data: metrics, meta })
    },
  )

  refusesBadCredentials("GET", ({ path }) => `${path}/aggregates`)

  test.each(["period=8d", "dateFrom=2026-01-01", "dateFrom=x&dateTo=y"])("400: %s", async query => {
    expect((await get(`${first.path}/aggregates?${query}`, first.session)).status).toBe(400)
  })
})

describe("GET /api/advertiser/dashboard/summary", () => {
  test("adds up the programs of each currency", async () => {
    const { status, body } = await get(SUMMARY, first.session)
    const [one, two, three] = await Promise.all([first, second, yen].map(of => performance(of)))
    const { period, dateFrom, dateTo, previousPeriod } = one!.body.meta
    expect(status).toBe(200)
    expect(body.meta).toEqual({
      period,
      dateFrom,
      dateTo,
      previousPeriod,
      otherCurrencies: [{ currency: "EUR", revenue: 7, commission: 2.1 }],
    })
    expect(body.data.programs).toBe(3)
    expect(body.data.currencies).toHaveLength(2)
    expect(body.data.currencies[0]).toEqual({ currency: "JPY", ...three!.body.metrics })
    expect(body.data.currencies[1]).toEqual({
      currency: "USD",
      ...one!.body.metrics,
      totalClicks: 3,
      totalConversions: 3,
      totalRevenue: 150, // 49.99 + 100.01
      conversionRate: 100,
      averageOrderValue: 50,
      totalPartners: 2,
      totalSales: 3,
      totalPartnersCommission: 45, // 15.00 + 30.00
    })
    expect(two!.body.metrics.totalRevenue).toBe(100.01)
  })

  test("shows a key only its own programs", async () => {
    const program_scope = [yen.program_id]
    const { key } = await newKey(first, { scopes: ["dashboard:view"], program_scope })
    const { body } = await get(SUMMARY, key)
    expect(body.data).toMatchObject({ programs: 1, currencies: [{ currency: "JPY" }] })
    const nothing = await newKey(first, { program_scope: [] })
    expect((await get(`${SUMMARY}?period=all`, nothing.key)).body.data).toEqual({
      programs: 0,
      currencies: [],
    })
  })

  test("starts with the oldest program for period=all", async () => {
    const { meta } = (await get(`${SUMMARY}?period=all`, first.session)).body
    expect(meta).toMatchObject({ period: "all" })
    expect(meta.dateFrom).toBe((await performance(first, "?period=all")).body.meta.dateFrom)
  })

  refusesBadCredentials("GET", () => SUMMARY)

  test.each(["period=8d", "dateTo=2026-01-01", "dateFrom=2026-02-30&dateTo=2026-03-01"])(
    "400: %s",
    async query => {
      expect((await get(`${SUMMARY}?${query}`, first.session)).status).toBe(400)
    },
  )

  test("covers more programs than one page holds", async () => {
    const owner = await newOwner()
    const create = (n: number) =>
      send("POST", "/api/advertiser/affiliate-programs", {
        token: owner.session,
        body: { name: `Program ${n}` },
      })
    for (let n = 0; n < 105; n += 5) {
      await Promise.all([0, 1, 2, 3, 4].map(i => create(n + i)))
    }
    const { body } = await get(SUMMARY, owner.session)
    expect(body.data).toMatchObject({ programs: 105, currencies: [{ currency: "USD" }] })
  }, 60_000)

  test("replies in time for two thousand programs and a long range", async () => {
    const { program_id, session } = await newProgram()
    await sql`
      insert into identity.programs overriding system value
      select (
        jsonb_populate_record(
          program,
          jsonb_build_object(
            'id', 1e12 + 1e4 * id + n,
            'slug', id || '-' || n,
            'token_hash', id || '-' || n,
            'website_url', 'https://shop.example/' || repeat('x', 900)
          )
        )
      ).*
      from identity.programs as program, generate_series(1, 2000) as n
      where id = ${program_id}
    `
    const { status, body } = await get(
      `${SUMMARY}?dateFrom=2026-01-05T05:30:00Z&dateTo=2026-12-25T20:30:00Z`,
      session,
    )
    expect(status).toBe(200)
    expect(body.data).toMatchObject({ programs: 2_001, currencies: [{ totalPartners: 1 }] })
    await sql`delete from identity.programs where id > 1e12`
  }, 20_000)

  test("covers the workspace that is named; others are refused", async () => {
    const analyst = await newMember(first, "analyst")
    const named = { "x-workspace-id": `${first.workspace_id}` }
    expect((await get(SUMMARY, analyst, named)).body.data.programs).toBe(3)
    expect((await get(SUMMARY, analyst)).body.data.programs).toBe(0)
    const foreign = { "x-workspace-id": `${(await newOwner()).workspace_id}` }
    expect((await get(SUMMARY, analyst, foreign)).status).toBe(404)
  })
})
