import type { ReplyOf, RequestOf } from "../../../lib/bus/operation"
import { rowsThatFit } from "../../../lib/bus/rows-that-fit"
import type * as contract from "../contract"
import { sql } from "../db"
import { readExportPart } from "../freshness/freshness"
import { parsePeriod } from "../periods/period"
import { ALL_SOURCES } from "../sources"
import { readRowsAfter } from "./breakdown-rows"
import { withLabels } from "./labels"

const ROWS_PER_PART = 2_000

type Request = RequestOf<typeof contract.exportBreakdown>
type Reply = ReplyOf<typeof contract.exportBreakdown>

export async function exportBreakdown({ program, query, after }: Request): Promise<Reply> {
  const [{ now }] = await sql<[{ now: string }]>`select now()`
  const asOf = after?.as_of ?? now
  const periodAt = parsePeriod(query)
  const { period, ...range } = periodAt(asOf, program.created_at)
  const by = query.by ?? "partner"
  const filter = { program_id: program.id, by, currency: program.currency, ...range }

  const { last, applied_until, ...read } = await readExportPart(ALL_SOURCES, after === null, sql =>
    readRowsAfter(sql, filter, after?.value ?? null, ROWS_PER_PART),
  )
  const rows = rowsThatFit(await withLabels(program.id, by, read.rows))
  const isCut = rows.length < read.rows.length
  const value = isCut ? String(rows.at(-1)?.value ?? "") : last
  return { rows, next: value === null ? null : { value, as_of: asOf }, applied_until }
}
