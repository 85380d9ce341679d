import { config } from "../../../lib/config"
import { clock } from "../clock"
import { sql } from "../db"

const PRUNED_AT_ONCE_MAX = 1_000 // each with its deliveries and their attempts

/**
 * Deletes events after their time in the log, but none because a clock was set wrong. Returns how many.
 */
export async function pruneEvents(): Promise<number> {
  const now = await clock.look()
  for (let pruned = 0; ; ) {
    const count = await pruneOldest(now)
    pruned += count
    if (count < PRUNED_AT_ONCE_MAX) return pruned
  }
}

/** Looks at the oldest rows only, so it needs no index of times. */
async function pruneOldest(now: string): Promise<number> {
  const pruned = await sql`
    delete from events
    where id in (
      select id
      from (
        select id, at, published_at
        from events
        order by id
        limit ${PRUNED_AT_ONCE_MAX}
      ) as oldest
      where at < ${now}::timestamptz - ${config.delivery.retention_days} * interval '1 day'
        and published_at is not null
    )
  `
  return pruned.count
}
