import type { RequestOf } from "../../../lib/bus/operation"
import { rowsThatFit } from "../../../lib/bus/rows-that-fit"
import { appliedUntilOf, readApplied } from "../../../lib/feeds/cursors"
import { rangeOf } from "../../../lib/range"
import type * as contract from "../contract"
import { sql } from "../db"
import { catchUp, ENTRY_SOURCES } from "./audit-entries"
import { auditEntries, auditEntriesWhere } from "./audit-entry-rows"

const ROWS_PER_PART = 1_000

type Request = RequestOf<typeof contract.exportAuditEntries>

export async function exportAuditEntries({ workspace_id, query, after }: Request) {
  rangeOf(query) // refused before the feeds are read
  const reached = after === null ? await catchUp(ENTRY_SOURCES) : null

  return sql.begin("isolation level repeatable read read only", async sql => {
    const isOlder = after ? sql`and (at, entry.id) < (${after.at}, ${after.id})` : sql``
    const isWanted = sql`${auditEntriesWhere(sql, workspace_id, query)} ${isOlder}`
    const found = await auditEntries(sql, isWanted, { limit: ROWS_PER_PART })
    const rows = rowsThatFit(found)
    const isLast = rows.length === found.length && found.length < ROWS_PER_PART
    const last = rows.at(-1)
    const next = isLast || !last ? null : { at: last.at, id: last.id }
    const applied_until = reached && appliedUntilOf(reached, await readApplied(sql, ENTRY_SOURCES))
    return { rows, next, applied_until }
  })
}
