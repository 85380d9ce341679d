import type { Transaction } from "../../../lib/db/database"
import { clock } from "../clock"
import { sql } from "../db"

/**
 * Drops whole months of clicks older than `months`, one at a time (behaviour 9.9). The transaction
 * that drops a month stores its totals, which the feed sends to reporting. A clock that was set
 * ahead makes no click old.
 */
export async function dropOldClicks(months: number) {
  const steadyNow = await clock.look()
  const drop = (sql: Transaction) => dropMonth(sql, months, steadyNow)
  while (await sql.begin("isolation level repeatable read", drop));
}

/** Drops the oldest due month. False: no month was due. Replicas take turns at the first lock. */
async function dropMonth(sql: Transaction, months: number, as_of: string): Promise<boolean> {
  await sql`set local statement_timeout = '10min'` // it reads the whole month
  await sql`lock table dropped_clicks in exclusive mode`
  await sql`set local lock_timeout = '500ms'` // clicks queue behind this lock: fail early
  const [{ is_dropped }] = await sql<[{ is_dropped: boolean }]>`
    select drop_old_clicks(${months}, ${as_of}) as is_dropped
  `
  return is_dropped
}
