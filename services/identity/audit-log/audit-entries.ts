import type { Transaction } from "../../../lib/db/database"
import { followFeeds } from "../../../lib/feeds/catch-up"
import { type Feed, sourceOf } from "../../../lib/feeds/source"
import type { EntryRow, WorkspaceEntryRow } from "../../../lib/record-change"
import * as commissions from "../../commissions/contract"
import * as delivery from "../../delivery/contract"
import * as tracking from "../../tracking/contract"
import { sql } from "../db"

/** The entries of other services. Identity writes its own directly. */
export const ENTRY_SOURCES = [
  sourceOf(tracking.feedAuditEntries, { entries: feedOf("tracking") }),
  sourceOf(commissions.feedAuditEntries, { entries: feedOf("commissions") }),
  sourceOf(delivery.feedAuditEntries, { entries: feedOf("delivery") }),
]

export const { catchUp, keepCaughtUp, findProblems } = followFeeds("identity", sql, ENTRY_SOURCES)

/** `forget` does nothing: entries stay even if their server is restored from a backup. */
function feedOf(service: string): Feed<EntryRow | WorkspaceEntryRow> {
  return { name: service, apply: storeEntries, forget: async () => {} }
}

/**
 * The program of an entry always exists: only programs that were never shown are deleted. It decides
 * the workspace. An entry without a program names its workspace.
 */
async function storeEntries(sql: Transaction, entries: (EntryRow | WorkspaceEntryRow)[]) {
  await sql`
    insert into audit_entries (
      entry_key, workspace_id, program_id, actor_kind, actor_id, actor_address,
      action, subject_type, subject_id, details, request_id, at
    )
    select
      entry_key,
      coalesce((select workspace_id from programs where id = program_id), entry.workspace_id),
      program_id,
      actor_kind, actor_id, actor_address,
      action, subject_type, subject_id, details, request_id, at
    from jsonb_to_recordset(${sql.json(entries as never)}) as entry (
      entry_key uuid, workspace_id bigint, program_id bigint, actor_kind text, actor_id bigint, actor_address text,
      action text, subject_type text, subject_id bigint, details jsonb, request_id text,
      at timestamptz
    )
    order by at
    on conflict (entry_key) do nothing -- a restored server sends its entries again
  `
}
