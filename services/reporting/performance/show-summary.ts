import type { ReplyOf, RequestOf } from "../../../lib/bus/operation"
import { rowsOf } from "../../../lib/db/columns"
import type * as contract from "../contract"
import { catchUp } from "../freshness/catch-up"
import { readReport } from "../freshness/freshness"
import { parsePeriod } from "../periods/period"
import { previousRange } from "../periods/range"
import { ALL_SOURCES } from "../sources"
import { readActivity } from "./daily"
import { metricsOf, totalsOf } from "./metrics"
import { otherCurrencies } from "./show-performance"

type Request = RequestOf<typeof contract.showSummary>
type Reply = ReplyOf<typeof contract.showSummary>

/** Adds up the metrics of the programs that have the same currency (behaviour 7.6). */
export async function showSummary({ programs, query }: Request): Promise<Reply> {
  const periodAt = parsePeriod(query)
  const { reached, now } = await catchUp(ALL_SOURCES)
  const first = programs.map(program => program.created_at).sort()[0] ?? now
  const { period, ...range } = periodAt(now, first)
  const rangeBefore = previousRange(range)
  const byCurrency = Map.groupBy(programs, program => program.currency)

  return readReport(ALL_SOURCES, reached, async sql => {
    const sums = await Promise.all(
      [...byCurrency.keys()].sort().map(async currency => {
        const program_ids = byCurrency.get(currency)!.map(program => program.id)
        const selection = { program_ids, currency, isByDay: false }
        const [current, previous] = await Promise.all([
          readActivity(sql, selection, range),
          readActivity(sql, selection, rangeBefore),
        ])
        return { currency, current, previous }
      }),
    )
    const currencies = sums.map(({ currency, current, previous }) => ({
      currency,
      ...metricsOf(totalsOf(current, currency), totalsOf(previous, currency), currency),
    }))
    const foreignMoney = sums.flatMap(({ currency, current }) =>
      rowsOf(current.money).filter(sum => sum.currency !== currency),
    )
    const meta = {
      period,
      dateFrom: range.from,
      dateTo: range.to,
      previousPeriod: { dateFrom: rangeBefore.from, dateTo: rangeBefore.to },
      otherCurrencies: otherCurrencies(foreignMoney, ""),
    }
    return { currencies, meta }
  })
}
