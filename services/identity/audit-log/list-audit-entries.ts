import type { RequestOf } from "../../../lib/bus/operation"
import { rowsThatFit } from "../../../lib/bus/rows-that-fit"
import { appliedUntilOf, readApplied } from "../../../lib/feeds/cursors"
import type * as contract from "../contract"
import type { AuditEntry } from "../contract"
import { sql } from "../db"
import { catchUp, ENTRY_SOURCES } from "./audit-entries"

type Request = RequestOf<typeof contract.listAuditEntries>

export async function listAuditEntries({ workspace_id, slice: { limit, offset } }: Request) {
  const reached = await catchUp(ENTRY_SOURCES)

  return sql.begin("isolation level repeatable read read only", async sql => {
    const rows = await sql<AuditEntry[]>`
      select
        entry.id, at, actor_kind, actor_id, actor_address,
        coalesce(users.name, api_keys.name) as actor_name,
        action, subject_type, subject_id, program_id, details, request_id
      from audit_entries as entry
      left join users on actor_kind = 'user' and users.id = actor_id
      left join api_keys on actor_kind = 'key' and api_keys.id = actor_id
      where entry.workspace_id = ${workspace_id}
      order by at desc, entry.id desc
      limit ${limit}
      offset ${offset}
    `
    const [{ total }] = await sql<[{ total: number }]>`
      select count(*) as total
      from audit_entries
      where workspace_id = ${workspace_id}
    `
    const applied_until = appliedUntilOf(reached, await readApplied(sql, ENTRY_SOURCES))
    return { rows: rowsThatFit(rows), total, applied_until }
  })
}
