import type { ReplyOf, RequestOf } from "../../../lib/bus/operation"
import { rowsOf } from "../../../lib/db/columns"
import { major } from "../../../lib/money"
import type * as contract from "../contract"
import type { Performance } from "../contract"
import { sql } from "../db"
import { catchUp } from "../freshness/catch-up"
import { readReportInOneStatement } from "../freshness/freshness"
import { type Period, parsePeriod } from "../periods/period"
import { daysOf, previousRange } from "../periods/range"
import { ALL_SOURCES } from "../sources"
import { type Activity, type Money, selectActivity } from "./daily"
import { metricsOf, sumMoney, totalsOf } from "./metrics"

type Request = RequestOf<typeof contract.showPerformance>
type Reply = ReplyOf<typeof contract.showPerformance>

export async function showPerformance({ program, query }: Request): Promise<Reply> {
  const periodAt = parsePeriod(query)
  const { reached, now } = await catchUp(ALL_SOURCES)
  const period = periodAt(now, program.created_at)
  const { currency } = program
  const selection = { program_ids: [program.id], currency }

  const { rows, applied_until } = await readReportInOneStatement<
    Record<"current" | "previous", Activity>
  >(
    ALL_SOURCES,
    reached,
    applied => sql`
      select
        ${applied},
        ${selectActivity({ ...selection, isByDay: true }, period)} as current,
        ${selectActivity({ ...selection, isByDay: false }, previousRange(period))} as previous
    `,
  )
  return { performance: performanceOf(rows[0], period, currency), applied_until }
}

/** Returns the activity of a period and of the one before as the API shows it. */
export function performanceOf(
  { current, previous }: Record<"current" | "previous", Activity>,
  { period, ...range }: Period,
  currency: string,
): Performance {
  const before = previousRange(range)
  return {
    data: daysOf(range).map(byDay(current, currency)),
    metrics: metricsOf(totalsOf(current, currency), totalsOf(previous, currency), currency),
    meta: {
      period,
      dateFrom: range.from,
      dateTo: range.to,
      previousPeriod: { dateFrom: before.from, dateTo: before.to },
      otherCurrencies: otherCurrencies(rowsOf(current.money), currency),
    },
  }
}

function byDay({ counts, money }: Activity, currency: string) {
  const counted = new Map(rowsOf(counts).map(count => [count.day, count]))
  const earned = new Map<string | null, Money[]>()
  for (const sum of rowsOf(money).filter(sum => sum.currency === currency)) {
    earned.set(sum.day, [...(earned.get(sum.day) ?? []), sum])
  }

  return (day: string) => {
    const { revenue_cents, commission_cents } = sumMoney(earned.get(day) ?? [])
    const { clicks = 0, leads = 0, conversions = 0, partners = 0 } = counted.get(day) ?? {}
    return {
      date: day,
      period: day,
      clicks,
      leads,
      conversions,
      revenue: major(revenue_cents, currency),
      partners,
      sales: 0, // always; totalSales has their number (behaviour 7.3.1)
      commission: major(commission_cents, currency),
    }
  }
}

/** Returns the sums in each currency but the program's own (behaviour 7.4). */
export function otherCurrencies(money: Money[], own: string) {
  const currencies = new Set(money.map(sum => sum.currency))
  currencies.delete(own)
  return [...currencies].sort().map(currency => {
    const sums = sumMoney(money.filter(sum => sum.currency === currency))
    const [revenue, commission] = [sums.revenue_cents, sums.commission_cents]
    return { currency, revenue: major(revenue, currency), commission: major(commission, currency) }
  })
}
