import type { Transaction } from "../../../lib/db/database"
import { NOTED_TYPES, type NotedEvent, noticeTextsOf } from "./notice-texts"

const AGE_DAYS_MAX = 7 // older events come from feeds that are read again

type Row = NotedEvent & { event_key: string; workspace_id: number; program_id: number; at: string }

/** Records the notices of events, in the transaction that publishes them. */
export async function recordNotices(sql: Transaction, event_ids: number[]) {
  const events = await sql<Row[]>`
    select event_key, workspace_id, program_id, partner_id, type, data, previous, at
    from events
    where id = any (${event_ids}::bigint[])
      and type = any (${NOTED_TYPES}::text[])
      and at > now() - ${AGE_DAYS_MAX} * interval '1 day'
    order by id
  `
  const notices = events.flatMap(({ event_key, workspace_id, program_id, at, ...event }) =>
    noticeTextsOf(event).map(text => ({
      ...text,
      ...{ source_key: event_key, workspace_id, program_id, at },
    })),
  )
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
