import type { ReplyOf, RequestOf } from "../../../lib/bus/operation"
import { rowsThatFit } from "../../../lib/bus/rows-that-fit"
import type * as contract from "../contract"
import { sql } from "../db"
import { OF_ALL } from "../freshness/catch-up"
import { part } from "../freshness/freshness"
import { periodAskedFor } from "../periods/period"
import { readAfter } from "./breakdown-rows"
import { labelled } from "./labels"

const ROWS_PER_PART = 2_000

type Asked = RequestOf<typeof contract.exportBreakdown>
type Exported = ReplyOf<typeof contract.exportBreakdown>

export async function exportBreakdown({ program, query, after }: Asked): Promise<Exported> {
  const [{ now }] = await sql<[{ now: string }]>`select now()`
  const as_of = after?.as_of ?? now
  const periodAt = periodAskedFor(query)
  const { period, ...range } = periodAt(as_of, program.created_at)
  const by = query.by ?? "partner"
  const wanted = { program_id: program.id, by, currency: program.currency, ...range }

  const { last, applied_until, ...read } = await part(OF_ALL, after === null, sql =>
    readAfter(sql, wanted, after?.value ?? null, ROWS_PER_PART),
  )
  const rows = rowsThatFit(await labelled(program.id, by, read.rows))
  const isCut = rows.length < read.rows.length
  const value = isCut ? String(rows.at(-1)?.value ?? "") : last
  return { rows, next: value === null ? null : { value, as_of }, applied_until }
}
