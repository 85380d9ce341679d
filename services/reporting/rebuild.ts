import { sql } from "./db"

/**
 * Forgets the whole read model. The running replicas fill it anew from the feeds; until they are
 * through, answers say how far they reach.
 */
export const forgetAll = () =>
  sql.begin(async sql => {
    await sql`update cursors set cursor = null, applied_until = null` // waits for whoever applies
    await sql`
      truncate
        daily, hourly, daily_money, daily_breakdown, events, partners, commissions, conversions,
        erased_customers
    `
  })

/** How many events are in the read model, and which feeds have not been read to an end yet. */
export async function showProgress(): Promise<{ events: number; unread: string[] }> {
  const [counted] = await sql<[{ events: number }]>`
    select coalesce(sum(clicks + leads + sales), 0)::bigint as events
    from daily
  `
  const unread = await sql<{ feed: string }[]>`
    select feed
    from cursors
    where applied_until is null
    order by feed
  `
  return { ...counted, unread: unread.map(row => row.feed) }
}
