import type { Transaction } from "../../../lib/db/database"
import { sql } from "../db"

/**
 * Drops the clicks of whole months that are older than so many months, one after the other. Each
 * month goes in the transaction that keeps its totals and tells them to reporting.
 */
export async function dropOldClicks(months: number) {
  while (await sql.begin("isolation level repeatable read", sql => dropMonth(sql, months)));
}

/** The replicas queue at the first lock, and look only then. Nobody clicks into a month of old. */
async function dropMonth(sql: Transaction, months: number): Promise<boolean> {
  await sql`set local statement_timeout = '10min'` // it reads the whole month
  await sql`lock table dropped_clicks in exclusive mode`
  await sql`set local lock_timeout = '500ms'` // clicks queue behind us: sooner in vain than late
  const [{ is_dropped }] = await sql<[{ is_dropped: boolean }]>`
    select drop_old_clicks(${months}) as is_dropped
  `
  return is_dropped
}
