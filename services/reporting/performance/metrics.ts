import { rowsOf } from "../../../lib/db/columns"
import { decimal, exponentOf, major } from "../../../lib/money"
import type { Performance, Trend } from "../contract"
import type { Activity, Counts, Money } from "./daily"

type Totals = Record<
  "clicks" | "leads" | "conversions" | "sales" | "partners" | "revenue_cents" | "commission_cents",
  bigint
>

/** Returns the sums over all days, with the money of one currency. */
export function totalsOf(activity: Activity, currency: string): Totals {
  const sum = (column: Exclude<keyof Counts, "day">) =>
    (activity.counts[column] ?? []).reduce((sum, count) => sum + BigInt(count), 0n)
  return {
    clicks: sum("clicks"),
    leads: sum("leads"),
    conversions: sum("conversions"),
    sales: sum("sales"),
    partners: sum("partners"),
    ...sumMoney(rowsOf(activity.money).filter(money => money.currency === currency)),
  }
}

export const sumMoney = (money: Money[]) => ({
  revenue_cents: money.reduce((sum, { revenue_cents }) => sum + BigInt(revenue_cents), 0n),
  commission_cents: money.reduce((sum, { commission_cents }) => sum + BigInt(commission_cents), 0n),
})

/**
 * Returns the metrics and their trends (behaviour 7.3.2, 7.3.3). Each is computed from integers and
 * rounded once, half up (behaviour 7.4).
 */
export function metricsOf(now: Totals, before: Totals, currency: string): Performance["metrics"] {
  const digits = exponentOf(currency)
  const trendOf = (total: keyof Totals) => trend(now[total], before[total])

  return {
    totalClicks: Number(now.clicks),
    totalLeads: Number(now.leads),
    totalConversions: Number(now.conversions),
    totalRevenue: major(now.revenue_cents, currency),
    conversionRate: decimal(now.conversions * 100n, now.clicks, 2), // 0 without clicks
    averageOrderValue: decimal(now.revenue_cents, now.conversions * 10n ** BigInt(digits), digits),
    totalPartners: Number(now.partners),
    totalSales: Number(now.sales),
    totalPartnersCommission: major(now.commission_cents, currency),
    clicksTrend: trendOf("clicks"),
    leadsTrend: trendOf("leads"),
    conversionsTrend: trendOf("conversions"),
    revenueTrend: trendOf("revenue_cents"),
    partnersTrend: trendOf("partners"),
    salesTrend: trendOf("sales"),
    commissionTrend: trendOf("commission_cents"),
  }
}

/** Returns the change in percent. A change from zero counts as 100 (behaviour 7.3.3). */
function trend(now: bigint, before: bigint): Trend {
  const change = now - before
  if (change === 0n) return { trend: 0, trendDirection: "stable" }
  if (before === 0n) return { trend: 100, trendDirection: "up" }
  return {
    trend: decimal((change < 0n ? -change : change) * 100n, before, 1),
    trendDirection: change > 0n ? "up" : "down",
  }
}
