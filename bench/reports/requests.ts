import { aggregate, type Day, type Event, type Listing, page, type Range } from "./naive"
import { type By, breakDown, type Row } from "./naive-breakdown"
import type { Program } from "./program"
import type { Database } from "./tributary"

const PAGE_SIZE = 10
const DAY_MS = 24 * 60 * 60 * 1_000

/** A request over HTTP, and the naive SQL that returns the same. */
export type Request = {
  name: string
  path: string
  /** How many times faster than the naive SQL its SQL should be. */
  goal?: number
  naive(sql: Database, reply: any): Promise<unknown> // any: the body of a reply
  /** Throws unless both results are the same. */
  compare(reply: any, naiveResult: any): void
}

/** All requests that are timed. Where few `events` fill no page 10,000, the last page is used. */
export function requestsOf(program: Program, events: number): Request[] {
  const ago = (days: number) => new Date(program.to.getTime() - days * DAY_MS).toISOString()
  const days = { from: ago(60.3), to: ago(29.9) }
  const custom = `dateFrom=${days.from}&dateTo=${days.to}`
  const lastPage = (share: number) => Math.max(1, Math.floor((events * share) / PAGE_SIZE))

  return [
    performanceOf(program, "performance 7d", "period=7d"),
    performanceOf(program, "performance 30d", "period=30d", 500),
    performanceOf(program, "performance 90d", "period=90d", 500),
    performanceOf(program, "performance all", "period=all", 500),
    performanceOf(program, "performance custom, ragged", custom),
    pageOf(program, "page", 1),
    pageOf(program, "page", Math.min(100, lastPage(1))),
    pageOf(program, "page", Math.min(10_000, lastPage(1)), {}, 1_000),
    pageOf(program, "sales, page", Math.min(100, lastPage(0.01)), { event_type: "conversion" }),
    pageOf(program, "clicks, page", Math.min(1_000, lastPage(0.8)), { event_type: "click" }),
    pageOf(program, "30 ragged days, page", Math.min(100, lastPage(0.05)), days),
    breakdownOf(program, "partner", "30d"),
    breakdownOf(program, "partner", "all"),
    breakdownOf(program, "country", "90d"),
    breakdownOf(program, "sub_id", "all"),
  ]
}

function performanceOf(program: Program, name: string, query: string, goal?: number): Request {
  return {
    name,
    goal,
    path: `/api/tracking/performance/${program.id}?${query}`,
    naive: async (sql, { meta }: { meta: Range & { previousPeriod: Range } }) => ({
      days: await aggregate(sql, program, meta),
      before: await aggregate(sql, program, meta.previousPeriod),
    }),
    compare({ data, metrics }, { days, before }: Record<"days" | "before", Day[]>) {
      const expected = days.map(({ revenue_cents, commission_cents, sales, ...counts }) => ({
        ...{ ...counts, period: counts.date, sales: 0 },
        ...{ revenue: revenue_cents / 100, commission: commission_cents / 100 },
      }))
      assertSame(name, data, expected)
      assertSame(name, metrics, {
        ...metrics,
        totalClicks: sum(days, "clicks"),
        totalLeads: sum(days, "leads"),
        totalConversions: sum(days, "conversions"),
        totalSales: sum(days, "sales"),
        totalPartners: sum(days, "partners"),
        totalRevenue: sum(days, "revenue_cents") / 100,
        totalPartnersCommission: sum(days, "commission_cents") / 100,
        clicksTrend: trend(sum(days, "clicks"), sum(before, "clicks")),
        revenueTrend: trend(sum(days, "revenue_cents"), sum(before, "revenue_cents")),
      })
    },
  }
}

function pageOf(
  program: Program,
  title: string,
  number: number,
  listing: Listing = {},
  goal?: number,
): Request {
  const name = `${title} ${number.toLocaleString("en")}`
  const query = new URLSearchParams({
    ...{ page: `${number}`, pageSize: `${PAGE_SIZE}` },
    ...(listing.event_type && { eventType: listing.event_type }),
    ...(listing.from && { dateFrom: listing.from }),
    ...(listing.to && { dateTo: listing.to }),
  })
  return {
    name,
    goal,
    path: `/api/tracking/events/${program.id}?${query}`,
    naive: sql => page(sql, program, listing, [number, PAGE_SIZE]),
    compare({ data, meta }, { events, total }: { events: Event[]; total: number }) {
      const keyOf = ({ event_type, id }: Event) => `${event_type} ${id}`
      assertSame(name, data.map(keyOf), events.map(keyOf))
      assertSame(name, meta.pagination.total, total)
      if (data.length === 0) throw new Error(`${name} is empty.`)
    },
  }
}

function breakdownOf(program: Program, by: By, period: string): Request {
  const name = `breakdown by ${by}, ${period}`
  return {
    name,
    path: `/api/tracking/breakdown/${program.id}?by=${by}&period=${period}&pageSize=${PAGE_SIZE}`,
    naive: (sql, { meta }: { meta: Range }) => breakDown(sql, program, by, meta, PAGE_SIZE),
    compare({ data, meta }, { rows, total }: { rows: Row[]; total: number }) {
      const actual = data.map(({ label, conversionRate, otherCurrencies, ...row }: any) => ({
        ...row,
        value: row.value === null ? null : `${row.value}`,
      })) // any: as in Request
      const expected = rows.map(({ value, clicks, leads, conversions, ...money }) => ({
        ...{ value, clicks, leads, conversions },
        revenue: money.revenue_cents / 100,
        commission: money.commission_cents / 100,
      }))
      assertSame(name, actual, expected)
      assertSame(name, meta.pagination.total, total)
    },
  }
}

const sum = (days: Day[], column: Exclude<keyof Day, "date">) =>
  days.reduce((sum, day) => sum + day[column], 0)

function trend(now: number, before: number) {
  if (now === before) return { trend: 0, trendDirection: "stable" }
  const change = before === 0 ? 100 : Math.round((Math.abs(now - before) * 1_000) / before) / 10
  return { trend: change, trendDirection: now > before ? "up" : "down" }
}

function assertSame(name: string, actual: unknown, expected: unknown) {
  if (Bun.deepEquals(actual, expected)) return
  const [shown, naive] = [actual, expected].map(value => JSON.stringify(value).slice(0, 2_000))
  throw new Error(`${name} differs from the naive SQL:\n${shown}\n${naive}`)
}
