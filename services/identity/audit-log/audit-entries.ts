import type { Transaction } from "../../../lib/db/database"
import { catchingUp } from "../../../lib/feeds/catch-up"
import { type Feed, sourceOf } from "../../../lib/feeds/source"
import type { EntryRow } from "../../../lib/record-change"
import * as commissions from "../../commissions/contract"
import * as tracking from "../../tracking/contract"
import { sql } from "../db"

/** What others have written into the log; identity's own entries stand in it already. */
export const OF_ENTRIES = [
  sourceOf(tracking.feedAuditEntries, { entries: feedOf("tracking") }),
  sourceOf(commissions.feedAuditEntries, { entries: feedOf("commissions") }),
]

export const { catchUp, keepCaughtUp } = catchingUp("identity", sql, OF_ENTRIES)

/** What was done stays in the log, whatever a server that was restored tells of it. */
function feedOf(service: string): Feed<EntryRow> {
  return { name: service, apply: keep, forget: async () => {} }
}

/** A program that entries name was shown to somebody, and is never deleted. */
async function keep(sql: Transaction, entries: EntryRow[]) {
  await sql`
    insert into audit_entries (
      entry_key, workspace_id, program_id, actor_kind, actor_id, actor_address,
      action, subject_type, subject_id, details, request_id, at
    )
    select
      entry_key, (select workspace_id from programs where id = program_id), program_id,
      actor_kind, actor_id, actor_address,
      action, subject_type, subject_id, details, request_id, at
    from jsonb_to_recordset(${sql.json(entries as never)}) as entry (
      entry_key uuid, program_id bigint, actor_kind text, actor_id bigint, actor_address text,
      action text, subject_type text, subject_id bigint, details jsonb, request_id text,
      at timestamptz
    )
    order by at
    on conflict (entry_key) do nothing -- their server was restored, and tells all of it again
  `
}
