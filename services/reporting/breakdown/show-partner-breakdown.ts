import type { ReplyOf, RequestOf } from "../../../lib/bus/operation"
import { rowsThatFit } from "../../../lib/bus/rows-that-fit"
import type * as contract from "../contract"
import { catchUp } from "../freshness/catch-up"
import { readReport } from "../freshness/freshness"
import { parsePeriod } from "../periods/period"
import { ALL_SOURCES } from "../sources"
import { readPage } from "./breakdown-rows"
import { withLabels } from "./labels"

type Request = RequestOf<typeof contract.showPartnerBreakdown>
type Reply = ReplyOf<typeof contract.showPartnerBreakdown>

export async function showPartnerBreakdown(request: Request): Promise<Reply> {
  const { program, partner_id, query, slice } = request
  const periodAt = parsePeriod(query)
  const { reached, now } = await catchUp(ALL_SOURCES)
  const { period, ...range } = periodAt(now, program.created_at)
  const by = query.by ?? "link"
  const filter = { program_id: program.id, partner_id, by, currency: program.currency, ...range }

  const { rows, ...rest } = await readReport(ALL_SOURCES, reached, sql =>
    readPage(sql, filter, query, slice),
  )
  return {
    ...rest,
    rows: rowsThatFit(await withLabels(program.id, by, rows)),
    meta: { by, period, dateFrom: range.from, dateTo: range.to },
  }
}
