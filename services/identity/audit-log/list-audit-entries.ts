import type { RequestOf } from "../../../lib/bus/operation"
import { rowsThatFit } from "../../../lib/bus/rows-that-fit"
import { appliedUntilOf, readApplied } from "../../../lib/feeds/cursors"
import { rangeOf } from "../../../lib/range"
import type * as contract from "../contract"
import { sql } from "../db"
import { catchUp, ENTRY_SOURCES } from "./audit-entries"
import { auditEntries, auditEntriesWhere } from "./audit-entry-rows"

type Request = RequestOf<typeof contract.listAuditEntries>

export async function listAuditEntries({ workspace_id, query = {}, slice }: Request) {
  rangeOf(query) // refused before the feeds are read
  const reached = await catchUp(ENTRY_SOURCES)

  return sql.begin("isolation level repeatable read read only", async sql => {
    const isWanted = auditEntriesWhere(sql, workspace_id, query)
    const rows = await auditEntries(sql, isWanted, slice)
    const [{ total }] = await sql<[{ total: number }]>`
      select count(*) as total
      from audit_entries as entry
      where ${isWanted}
    `
    const applied_until = appliedUntilOf(reached, await readApplied(sql, ENTRY_SOURCES))
    return { rows: rowsThatFit(rows), total, applied_until }
  })
}
