import type { ReplyOf, RequestOf } from "../../../lib/bus/operation"
import { rowsOf } from "../../../lib/db/columns"
import type * as contract from "../contract"
import { catchUp, OF_ALL } from "../freshness/catch-up"
import { report } from "../freshness/freshness"
import { periodAskedFor } from "../periods/period"
import { before } from "../periods/range"
import { readActivity } from "./daily"
import { metricsOf, totalsOf } from "./metrics"
import { otherCurrencies } from "./show-performance"

type Asked = RequestOf<typeof contract.showSummary>
type Shown = ReplyOf<typeof contract.showSummary>

/** All that is said of a program alone, added up over those that have the same currency. */
export async function showSummary({ programs, query }: Asked): Promise<Shown> {
  const periodAt = periodAskedFor(query)
  const { reached, now } = await catchUp(OF_ALL)
  const first = programs.map(program => program.created_at).sort()[0] ?? now
  const { period, ...range } = periodAt(now, first)
  const previous = before(range)
  const byCurrency = Map.groupBy(programs, program => program.currency)

  return report(OF_ALL, reached, async sql => {
    const sums = await Promise.all(
      [...byCurrency.keys()].sort().map(async currency => {
        const program_ids = byCurrency.get(currency)!.map(program => program.id)
        const whose = { program_ids, currency, is_by_day: false }
        const [of_now, of_before] = await Promise.all([
          readActivity(sql, whose, range),
          readActivity(sql, whose, previous),
        ])
        return { currency, of_now, of_before }
      }),
    )
    const currencies = sums.map(({ currency, of_now, of_before }) => ({
      currency,
      ...metricsOf(totalsOf(of_now, currency), totalsOf(of_before, currency), currency),
    }))
    const foreign = sums.flatMap(({ currency, of_now }) =>
      rowsOf(of_now.money).filter(sum => sum.currency !== currency),
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
