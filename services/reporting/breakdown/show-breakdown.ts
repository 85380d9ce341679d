import type { ReplyOf, RequestOf } from "../../../lib/bus/operation"
import { rowsThatFit } from "../../../lib/bus/rows-that-fit"
import type * as contract from "../contract"
import { catchUp, OF_ALL } from "../freshness/catch-up"
import { report } from "../freshness/freshness"
import { periodAskedFor } from "../periods/period"
import { readPage } from "./breakdown-rows"
import { labelled } from "./labels"

type Asked = RequestOf<typeof contract.showBreakdown>
type Shown = ReplyOf<typeof contract.showBreakdown>

export async function showBreakdown({ program, query, slice }: Asked): Promise<Shown> {
  const periodAt = periodAskedFor(query)
  const { reached, now } = await catchUp(OF_ALL)
  const { period, ...range } = periodAt(now, program.created_at)
  const by = query.by ?? "partner"
  const wanted = { program_id: program.id, by, currency: program.currency, ...range }

  const { rows, ...shown } = await report(OF_ALL, reached, sql =>
    readPage(sql, wanted, query, slice),
  )
  return {
    ...shown,
    rows: rowsThatFit(await labelled(program.id, by, rows)),
    meta: { by, period, dateFrom: range.from, dateTo: range.to },
  }
}
