import { beforeAll, describe, expect, test } from "bun:test"
import { newHistory } from "../../support/history"
import { newKey } from "../../support/key"
import { newPartner, newProgram, type TestProgram } from "../../support/program"
import { send } from "../../support/world"

let program: TestProgram
let partner_ids: number[]
beforeAll(async () => {
  program = await newProgram()
  const second = await newPartner(program)
  partner_ids = [program.partner_id, second.partner_id]
  const first = { customers: 120, first: "2025-12-25", days: 40, currencies: ["USD", "JPY"] }
  await newHistory(program, first)
  await newHistory({ ...program, ...second }, { ...first, customers: 60 })
  while ((await showProgram("")).meta.appliedUntil) await Bun.sleep(100)
}, 60_000)

const get = (path: string, token = program.session) => send("GET", path, { token })

async function showProgram(query: string) {
  return (await get(`/api/tracking/performance/${program.program_id}?${query}`)).body
}

async function showPartner(partner_id: number, query: string) {
  const { status, body } = await get(`${program.path}/partners/${partner_id}/performance?${query}`)
  expect(status).toBe(200)
  return body
}

const SUMMED = ["clicks", "leads", "conversions", "revenue", "commission"]
const TOTALS = [
  "totalClicks",
  "totalLeads",
  "totalConversions",
  "totalSales",
  "totalRevenue",
  "totalPartnersCommission",
]

const sum = (rows: Record<string, number>[], name: string) =>
  Math.round(rows.reduce((sum, row) => sum + row[name]! * 100, 0)) / 100

describe("GET …/partners/:partnerId/performance", () => {
  test.each([
    "dateFrom=2026-01-01&dateTo=2026-01-20",
    "dateFrom=2026-01-03T07:30:00Z&dateTo=2026-01-21T18:45:00Z",
    "dateFrom=2026-01-03T12:00:00Z&dateTo=2026-01-04T11:59:59.999Z",
    "dateFrom=2025-01-01&dateTo=2026-12-31",
    "period=7d",
  ])("over all partners adds up to the program's, day by day: %s", async query => {
    const all = await showProgram(query)
    const each = await Promise.all(partner_ids.map(id => showPartner(id, query)))

    for (const [i, day] of all.data.entries()) {
      const days = each.map(({ data }) => data[i])
      expect(days.map(({ date }) => date)).toEqual([day.date, day.date])
      for (const name of SUMMED) expect(sum(days, name), `${day.date} ${name}`).toBe(day[name])
    }
    const metrics = each.map(({ metrics }) => metrics)
    for (const name of TOTALS) expect(sum(metrics, name), name).toBe(all.metrics[name])
    const yen = ({ meta }: any) => meta.otherCurrencies[0]?.revenue ?? 0
    expect(each.map(yen).reduce((one, other) => one + other)).toBe(yen(all))
    expect({ ...each[0].meta, otherCurrencies: [] }).toEqual({ ...all.meta, otherCurrencies: [] })
  })

  test("counts a partner on the day of joining", async () => {
    const { data, metrics } = await showPartner(program.partner_id, "period=7d")
    expect(data.map(({ partners }: { partners: number }) => partners)).toEqual([
      ...Array(6).fill(0),
      1,
    ])
    expect(metrics).toMatchObject({ totalPartners: 1, partnersTrend: { trendDirection: "up" } })
  })

  test("is of that partner alone", async () => {
    const query = "dateFrom=2025-01-01&dateTo=2026-12-31"
    const path = `/api/tracking/breakdown/${program.program_id}?${query}`
    for (const row of (await get(path)).body.data) {
      const { metrics } = await showPartner(row.value, query)
      expect(metrics).toMatchObject({
        totalClicks: row.clicks,
        totalConversions: row.conversions,
        totalRevenue: row.revenue,
      })
      expect(metrics.totalSales).toBeGreaterThan(0)
    }
  })

  test("refuses in this order: session, program, partner, query", async () => {
    const other = await newProgram()
    const { key } = await newKey(program, { scopes: ["program:read"] })
    const one = `/partners/${program.partner_id}/performance`
    for (const [status, why, path, token] of [
      [401, "no session", `${program.path}${one}?period=1d`, ""],
      [404, "another workspace's program", `${other.path}${one}`, program.session],
      [404, "no such partner", `${program.path}/partners/999999999/performance?period=1d`, key],
      [404, "another program's partner", `${other.path}${one}`, other.session],
      [400, "no such period", `${program.path}${one}?period=1d`, key],
      [200, "a key that may read", `${program.path}${one}?period=all`, key],
    ] as const) {
      expect({ why, status: (await get(path, token)).status }).toEqual({ why, status })
    }
  })
})
