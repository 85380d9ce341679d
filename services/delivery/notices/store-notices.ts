import type { Transaction } from "../../../lib/db/database"
import type { NoticeText } from "./notice-texts"

/** A notice, with what it is about. `source_key`: of the event, or of what else happened. */
type Notice = NoticeText & {
  source_key: string
  workspace_id: number
  program_id: number | null // null: it is about the whole workspace
  at: string
}

/** Stores notices, each once: for a partner, or for the members of a workspace. */
export async function storeNotices(sql: Transaction, notices: Notice[]) {
  if (notices.length === 0) return
  await sql`
    insert into notices (source_key, kind, workspace_id, program_id, partner_id, message, at)
    select source_key, kind, workspace_id, program_id, partner_id, message, at
    from jsonb_to_recordset(${sql.json(notices)}) as notice (
      source_key uuid, kind text, workspace_id bigint, program_id bigint, partner_id bigint,
      message text, at timestamptz
    )
    on conflict (source_key, partner_id) do nothing
  `
}
