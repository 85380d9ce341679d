import { config } from "../../../lib/config"
import { clock } from "../clock"
import { sql } from "../db"

const PRUNED_ROWS_MAX = 10_000

/**
 * Deletes events after their time in the log, but none because a clock was set wrong. It looks at
 * the oldest rows only, so it needs no index of times.
 */
export async function pruneEvents() {
  const now = await clock.look()
  const pruned = await sql`
    delete from events
    where id in (
      select id
      from (
        select id, at, published_at
        from events
        order by id
        limit ${PRUNED_ROWS_MAX}
      ) as oldest
      where at < ${now}::timestamptz - ${config.delivery.retention_days} * interval '1 day'
        and published_at is not null
    )
  `
  return pruned.count
}
