import type { Transaction } from "../../lib/db/database"
import { retryOnConflict } from "../../lib/db/pool"
import { takeTurn } from "../../lib/feeds/cursors"
import { sql } from "./db"

/**
 * Forgets the whole read model. The running replicas fill it anew from the feeds; until they are
 * through, answers say how far they reach. Reports lock these tables in no fixed order: whoever loses
 * a deadlock tries again.
 */
export const forgetAll = () => retryOnConflict(() => sql.begin(forget))

async function forget(sql: Transaction) {
  await takeTurn(sql)
  await sql`update cursors set cursor = null, applied_until = null`
  await sql`
    truncate
      daily, hourly, daily_money, daily_breakdown, events, partners, commissions, conversions,
      dropped_clicks, erased_customers
  `
}

type Unread = { feed: string; cursor: string | null }

/** How many events are in the read model, and how far feeds are that are not read to an end yet. */
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
