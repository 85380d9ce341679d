import type { ReplyOf, RequestOf } from "../../lib/contract"
import type { Transaction } from "../../lib/db"
import { OF_ALL } from "./catch-up"
import type * as contract from "./contract"
import { sql } from "./db"
import { metricsOf, totalsOf } from "./metrics"
import { periodOf } from "./period"
import { before, type Range } from "./range"
import { report } from "./report"
import { type Activity, activityIn, otherCurrencies } from "./show-performance"

type Asked = RequestOf<typeof contract.showSummary>
type Shown = ReplyOf<typeof contract.showSummary>
type Program = Asked["programs"][number]

/** All that is said of a program alone, added up over those that have the same currency. */
export async function showSummary({ programs, query }: Asked): Promise<Shown> {
  const [{ now }] = await sql<[{ now: string }]>`select now()`
  const first = programs.map(program => program.created_at).sort()[0] ?? now
  const { period, ...range } = periodOf(query, now, first)
  const previous = before(range)
  const own = [...new Set(programs.map(program => program.currency))].sort()

  return report(OF_ALL, async sql => {
    const [of_now, of_before] = await Promise.all([
      activitiesIn(sql, programs, range),
      activitiesIn(sql, programs, previous),
    ])
    const currencies = own.map(currency => ({
      currency,
      ...metricsOf(totalOf(of_now, currency), totalOf(of_before, currency), currency),
    }))
    const foreign = of_now.flatMap(({ currency, money }) =>
      money.filter(sum => sum.currency !== currency),
    )
    const meta = {
      period,
      dateFrom: range.from,
      dateTo: range.to,
      previousPeriod: { dateFrom: previous.from, dateTo: previous.to },
      otherCurrencies: otherCurrencies(foreign, ""),
    }
    return { currencies, meta }
  })
}

type ProgramActivity = Activity & { currency: string }

const activitiesIn = (
  sql: Transaction,
  programs: Program[],
  range: Range,
): Promise<ProgramActivity[]> =>
  Promise.all(
    programs.map(async ({ id, currency }) => ({ currency, ...(await activityIn(sql, id, range)) })),
  )

function totalOf(activities: ProgramActivity[], currency: string) {
  const own = activities.filter(activity => activity.currency === currency)
  const counts = own.flatMap(({ counts }) => counts)
  return totalsOf({ counts, money: own.flatMap(({ money }) => money) }, currency)
}
