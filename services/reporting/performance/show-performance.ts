import type { ReplyOf, RequestOf } from "../../../lib/bus/operation"
import { rowsOf } from "../../../lib/db/columns"
import { major } from "../../../lib/money"
import type * as contract from "../contract"
import { sql } from "../db"
import { catchUp, OF_ALL } from "../freshness/catch-up"
import { reportAtOnce } from "../freshness/freshness"
import { periodAskedFor } from "../periods/period"
import { before, daysOf } from "../periods/range"
import { type Activity, activityIn, type Money } from "./daily"
import { metricsOf, sumOf, totalsOf } from "./metrics"

type Asked = RequestOf<typeof contract.showPerformance>
type Shown = ReplyOf<typeof contract.showPerformance>

export async function showPerformance({ program, query }: Asked): Promise<Shown> {
  const periodAt = periodAskedFor(query)
  const { reached, now } = await catchUp(OF_ALL)
  const { period, ...range } = periodAt(now, program.created_at)
  const previous = before(range)
  const { currency } = program
  const whose = { program_ids: [program.id], currency }

  const { rows, applied_until } = await reportAtOnce<Record<"of_now" | "of_before", Activity>>(
    OF_ALL,
    reached,
    applied => sql`
      select
        ${applied},
        ${activityIn({ ...whose, is_by_day: true }, range)} as of_now,
        ${activityIn({ ...whose, is_by_day: false }, previous)} as of_before
    `,
  )
  const [{ of_now, of_before }] = rows
  const performance = {
    data: daysOf(range).map(byDay(of_now, currency)),
    metrics: metricsOf(totalsOf(of_now, currency), totalsOf(of_before, currency), currency),
    meta: {
      period,
      dateFrom: range.from,
      dateTo: range.to,
      previousPeriod: { dateFrom: previous.from, dateTo: previous.to },
      otherCurrencies: otherCurrencies(rowsOf(of_now.money), currency),
    },
  }
  return { performance, applied_until }
}

function byDay({ counts, money }: Activity, currency: string) {
  const counted = new Map(rowsOf(counts).map(count => [count.day, count]))
  const earned = new Map<string | null, Money[]>()
  for (const sum of rowsOf(money).filter(sum => sum.currency === currency)) {
    earned.set(sum.day, [...(earned.get(sum.day) ?? []), sum])
  }

  return (day: string) => {
    const { revenue_cents, commission_cents } = sumOf(earned.get(day) ?? [])
    const { clicks = 0, leads = 0, conversions = 0, partners = 0 } = counted.get(day) ?? {}
    return {
      date: day,
      period: day,
      clicks,
      leads,
      conversions,
      revenue: major(revenue_cents, currency),
      partners,
      sales: 0, // by the law; the metrics have their number
      commission: major(commission_cents, currency),
    }
  }
}

export function otherCurrencies(money: Money[], own: string) {
  const currencies = new Set(money.map(sum => sum.currency))
  currencies.delete(own)
  return [...currencies].sort().map(currency => {
    const sums = sumOf(money.filter(sum => sum.currency === currency))
    const [revenue, commission] = [sums.revenue_cents, sums.commission_cents]
    return { currency, revenue: major(revenue, currency), commission: major(commission, currency) }
  })
}
