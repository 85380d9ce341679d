import { beforeAll, describe, expect, test } from "bun:test"
import { newHistory } from "../../support/history"
import { newKey } from "../../support/key"
import { newPartnerAccount } from "../../support/partner-account"
import { newPartner, newProgram, type TestProgram } from "../../support/program"
import { send } from "../../support/world"

type Row = Record<string, any>

let program: TestProgram
let accounts: string[]
beforeAll(async () => {
  program = await newProgram()
  const second = await newPartner(program)
  const partners = [program, { ...program, ...second }]
  accounts = await Promise.all(partners.map(partner => newPartnerAccount(partner)))
  for (const [i, partner] of partners.entries()) {
    const size = { customers: 120 - i * 60, first: "2025-12-25", days: 40 }
    await newHistory(partner, { ...size, currencies: ["USD", "JPY"] })
  }
  while ((await whole("performance", "")).meta.appliedUntil) await Bun.sleep(100)
}, 60_000)

const whole = async (report: string, query: string) => {
  const path = `/api/tracking/${report}/${program.program_id}?${query}`
  return (await send("GET", path, { token: program.session })).body
}
const own = (token: string, report: string, query: string, id = program.program_id) =>
  send("GET", `/api/partner/programs/${id}/${report}?${query}`, { token })
async function parts(report: string, query: string): Promise<any[]> {
  const replies = await Promise.all(accounts.map(token => own(token, report, query)))
  expect(replies.map(({ status }) => status)).toEqual([200, 200])
  return replies.map(({ body }) => body)
}

const cents = (amount: number) => Math.round(amount * 100)
const sum = (rows: Row[], name: string) => rows.reduce((sum, row) => sum + cents(row[name] ?? 0), 0)
const yen = ({ otherCurrencies }: Row): number => otherCurrencies[0]?.commission ?? 0
const sumOf = (numbers: number[]) => numbers.reduce((sum, number) => sum + number, 0)

const RANGES = [
  "dateFrom=2026-01-01&dateTo=2026-01-20",
  "dateFrom=2026-01-03T07:30:00Z&dateTo=2026-01-21T18:45:00Z",
  "dateFrom=2025-01-01&dateTo=2026-12-31",
]

describe("A partner's numbers", () => {
  test.each(RANGES)("over all partners add up to the program's, to the cent: %s", async query => {
    const all = await whole("performance", query)
    const each = await parts("performance", query)
    for (const [i, day] of all.data.entries()) {
      const days = each.map(({ data }) => data[i])
      for (const name of ["clicks", "leads", "conversions", "commission"]) {
        expect(sum(days, name), `${day.date} ${name}`).toBe(cents(day[name]))
      }
    }
    const metrics = each.map(part => part.metrics)
    for (const name of ["totalClicks", "totalLeads", "totalSales", "totalPartnersCommission"]) {
      expect(sum(metrics, name), name).toBe(cents(all.metrics[name]))
    }
    expect(sumOf(each.map(({ meta }) => yen(meta)))).toBe(yen(all.meta))
    const summaries = await parts("summary", query)
    expect(summaries).toEqual(each.map(({ metrics, meta }) => ({ data: metrics, meta })))
  })

  test.each(
    RANGES.flatMap(range => ["link", "sub_id", "country", "device"].map(by => [by, range])),
  )("by %s add up to those of the program, value by value: %s", async (by, range) => {
    const query = `by=${by}&${range}&pageSize=100`
    const all = await whole("breakdown", query)
    const each = await parts("breakdown", query)
    for (const total of all.data) {
      const rows = each.flatMap(({ data }) => data.filter((row: Row) => row.value === total.value))
      for (const name of ["clicks", "leads", "conversions", "commission"]) {
        expect(sum(rows, name), `${total.value} ${name}`).toBe(cents(total[name]))
      }
      expect(sumOf(rows.map(yen)), `${total.value} JPY`).toBe(yen(total))
    }
    for (const [i, { data, meta }] of each.entries()) {
      const { metrics } = (await parts("performance", range))[i]!
      expect(sum(data, "clicks")).toBe(cents(metrics.totalClicks))
      expect(sum(data, "commission")).toBe(cents(metrics.totalPartnersCommission))
      expect(meta).toMatchObject({ by, period: "custom" })
    }
  })

  test("have no revenue, and no other partner's link", async () => {
    const query = `${RANGES[2]}&pageSize=100`
    const [performance] = await parts("performance", query)
    const [breakdown] = await parts("breakdown", query)
    const { metrics, meta } = performance
    expect(Object.keys(metrics).sort()).toEqual([
      "clicksTrend",
      "commissionTrend",
      "conversionRate",
      "conversionsTrend",
      "leadsTrend",
      "salesTrend",
      "totalClicks",
      "totalConversions",
      "totalLeads",
      "totalPartnersCommission",
      "totalSales",
    ])
    expect(Object.keys(performance.data[0]).sort()).toEqual(
      ["clicks", "commission", "conversions", "date", "leads", "period"].sort(),
    )
    expect(meta.otherCurrencies).toEqual([{ currency: "JPY", commission: expect.any(Number) }])
    expect(breakdown.data).toMatchObject([{ value: program.link_id, label: program.code }])
    expect(JSON.stringify([performance, breakdown])).not.toMatch(/revenue|orderValue/i)
  })

  test("sort, page, and are the same for a member who looks on", async () => {
    const query = `by=sub_id&${RANGES[2]}&sort=commission&order=asc`
    const { body } = await own(accounts[0]!, "breakdown", `${query}&pageSize=100`)
    const earned = body.data.map(({ commission }: Row) => commission)
    expect(earned).toEqual(earned.toSorted((one: number, other: number) => one - other))
    const second = await own(accounts[0]!, "breakdown", `${query}&pageSize=5&page=2`)
    expect(second.body.data).toEqual(body.data.slice(5, 10))
    const as = `&as_partner=${program.partner_id}`
    const seen = await own(program.session, "breakdown", `${query}&pageSize=100${as}`)
    expect(seen.body).toEqual(body)
  })

  test.each(["summary", "performance", "breakdown"])("are refused in order: %s", async report => {
    const other = await newProgram()
    const { key } = await newKey(program)
    for (const [status, why, token, query, id] of [
      [401, "no session", "", "period=1d", program.program_id],
      [401, "a key", key, "period=1d", program.program_id],
      [403, "no partner", program.session, "period=1d", program.program_id],
      [404, "a program not joined", accounts[0]!, "period=1d", other.program_id],
      [400, "no such period", accounts[0]!, "period=1d", program.program_id],
      [400, "half a range", accounts[0]!, "dateFrom=2026-01-01", program.program_id],
    ] as const) {
      expect({ why, status: (await own(token, report, query, id)).status }).toEqual({ why, status })
    }
  })

  test.each(["by=partner", "by=browser", "by=referrer", "sort=revenue"])(
    "cannot be broken down %s",
    async query => {
      expect((await own(accounts[0]!, "breakdown", query)).status).toBe(400)
    },
  )
})
