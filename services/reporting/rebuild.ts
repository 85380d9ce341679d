import type { Transaction } from "../../lib/db/database"
import { retryOnConflict } from "../../lib/db/pool"
import { lockCursors } from "../../lib/feeds/cursors"
import { sql } from "./db"

/**
 * Empties the whole read model. The running replicas then fill it again from the feeds; until they
 * finish, replies report how far they are complete. Retries after a deadlock: reports lock the same
 * tables in no fixed order.
 */
export const clearReadModel = () => retryOnConflict(() => sql.begin(clear))

async function clear(sql: Transaction) {
  await lockCursors(sql)
  await sql`update cursors set cursor = null, applied_until = null`
  await sql`
    truncate
      daily, hourly, daily_money, daily_breakdown, events, partners, commissions, conversions,
      dropped_clicks, left_out_clicks, erased_customers, set_aside
  `
}

type Unread = { feed: string; cursor: string | null }

/** Returns the number of events in the read model, and the feeds that are not fully read yet. */
export async function showProgress(): Promise<{ events: number; unread: Unread[] }> {
  const [counted] = await sql<[{ events: number }]>`
    select coalesce(sum(clicks + leads + sales), 0)::bigint as events
    from daily
  `
  const unread = await sql<Unread[]>`
    select feed, cursor::text
    from cursors
    where applied_until is null
    order by feed
  `
  return { ...counted, unread }
}
