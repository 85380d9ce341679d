import { type Static, Type } from "@sinclair/typebox"
import { operation } from "../../../lib/bus/operation"
import { Id, Time } from "../../../lib/fields"
import { Day } from "../../../lib/range"
import { applied_until } from "../freshness/contract"

/** The query of GET /api/tracking/performance/:programId (behaviour 7.3). */
export const PerformanceQuery = Type.Object({
  period: Type.Optional(Type.String({ description: "7d, 30d, 90d or all" })), // with dates: ignored
  dateFrom: Day,
  dateTo: Day,
})

export type PerformanceQuery = Static<typeof PerformanceQuery>

const Trend = Type.Object({
  trend: Type.Number(), // the absolute change in percent
  trendDirection: Type.Union([Type.Literal("up"), Type.Literal("down"), Type.Literal("stable")]),
})

export type Trend = Static<typeof Trend>

/** The performance of a program in a period (behaviour 7.3). Money is in major units. */
export const Performance = Type.Object({
  data: Type.Array(
    Type.Object({
      date: Type.String(),
      period: Type.String(), // equals date
      clicks: Type.Integer(),
      leads: Type.Integer(),
      conversions: Type.Integer(),
      revenue: Type.Number(),
      partners: Type.Integer(),
      sales: Type.Integer(), // always 0
      commission: Type.Number(),
    }),
  ),
  metrics: Type.Object({
    totalClicks: Type.Integer(),
    totalLeads: Type.Integer(),
    totalConversions: Type.Integer(),
    totalRevenue: Type.Number(),
    conversionRate: Type.Number(),
    averageOrderValue: Type.Number(),
    totalPartners: Type.Integer(),
    totalSales: Type.Integer(),
    totalPartnersCommission: Type.Number(),
    clicksTrend: Trend,
    leadsTrend: Trend,
    conversionsTrend: Trend,
    revenueTrend: Trend,
    partnersTrend: Trend,
    salesTrend: Trend,
    commissionTrend: Trend,
  }),
  meta: Type.Object({
    period: Type.String(), // 7d, 30d, 90d, all or custom
    dateFrom: Time,
    dateTo: Time,
    previousPeriod: Type.Object({ dateFrom: Time, dateTo: Time }),
    otherCurrencies: Type.Array(
      Type.Object({ currency: Type.String(), revenue: Type.Number(), commission: Type.Number() }),
    ),
  }),
})

export type Performance = Static<typeof Performance>

/**
 * Returns the days of a program, its totals, and their trends against the period of equal length
 * before (behaviour 7.3). Revenue and commission are in the program's currency and gross.
 * Faults: invalid (a period or date that does not exist, half a range, one that is too long).
 */
export const showPerformance = operation("reporting.performance.show", {
  request: Type.Object({
    program: Type.Object({ id: Id, currency: Type.String(), created_at: Time }),
    query: PerformanceQuery,
  }),
  reply: Type.Object({ performance: Performance, applied_until }),
})

/**
 * Returns the metrics of several programs together, one entry per program currency (behaviour 7.6).
 * The period "all" starts when the oldest program was created. Faults: invalid (as for
 * showPerformance).
 */
export const showSummary = operation("reporting.summary.show", {
  request: Type.Object({
    programs: Type.Array(Type.Object({ id: Id, currency: Type.String(), created_at: Time })),
    query: PerformanceQuery,
  }),
  reply: Type.Object({
    currencies: Type.Array(
      Type.Composite([Type.Object({ currency: Type.String() }), Performance.properties.metrics]),
    ),
    meta: Performance.properties.meta,
    applied_until,
  }),
})
