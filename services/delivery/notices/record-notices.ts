import type { Transaction } from "../../../lib/db/database"
import { NOTED_TYPES, type NotedEvent, noticeTextsOf } from "./notice-texts"
import { storeNotices } from "./store-notices"

const AGE_DAYS_MAX = 7 // older events come from feeds that are read again

type Row = NotedEvent & { event_key: string; workspace_id: number; program_id: number; at: string }

/**
 * Records the notices of events, in the transaction that publishes them. Sales may be many, so those
 * of the programs `without_sales`, about which no person wants mails, get none. Safe to repeat.
 */
export async function recordNotices(
  sql: Transaction,
  published: { id: number }[],
  without_sales: Set<number>,
) {
  if (published.length === 0) return
  const events = await sql<Row[]>`
    select event_key, workspace_id, program_id, partner_id, type, data, previous, at
    from events
    where id = any (${published.map(({ id }) => id)}::bigint[])
      and type = any (${NOTED_TYPES}::text[])
      and not (type = 'commission.created' and program_id = any (${[...without_sales]}::bigint[]))
      and at > now() - ${AGE_DAYS_MAX} * interval '1 day'
    order by id
  `
  await storeNotices(
    sql,
    events.flatMap(({ event_key: source_key, workspace_id, program_id, at, ...event }) =>
      noticeTextsOf(event).map(text => ({ source_key, workspace_id, program_id, at, ...text })),
    ),
  )
}
