import type { Transaction } from "../../../lib/db/database"
import { sql } from "../db"

/**
 * Drops whole months of clicks older than `months`, one at a time (behaviour 9.9). The transaction
 * that drops a month stores its totals, which the feed sends to reporting.
 */
export async function dropOldClicks(months: number) {
  while (await sql.begin("isolation level repeatable read", sql => dropMonth(sql, months)));
}

/** Drops the oldest due month. False: no month was due. Replicas take turns at the first lock. */
async function dropMonth(sql: Transaction, months: number): Promise<boolean> {
  await sql`set local statement_timeout = '10min'` // it reads the whole month
  await sql`lock table dropped_clicks in exclusive mode`
  await sql`set local lock_timeout = '500ms'` // clicks queue behind this lock: fail early
  const [{ is_dropped }] = await sql<[{ is_dropped: boolean }]>`
    select drop_old_clicks(${months}) as is_dropped
  `
  return is_dropped
}
