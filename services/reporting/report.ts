import { appliedUntil, type Feed } from "../../lib/cursors"
import type { Transaction } from "../../lib/db"
import { catchUp } from "./catch-up"
import { sql } from "./db"

const NOTHING_YET = "1970-01-01T00:00:00.000Z"

/**
 * Catches up with these feeds, then reads, all in one snapshot. `applied_until` is null if the
 * report has everything that was answered before it was asked for.
 */
export async function report<Result extends object>(
  feeds: Feed[],
  read: (sql: Transaction) => Promise<Result>,
) {
  const isCaughtUp = await catchUp(feeds)

  return sql.begin("isolation level repeatable read read only", async sql => {
    // Before the snapshot: one that is older than a rebuild's truncate would see empty tables.
    await sql`lock table daily in access share mode`
    const until = await appliedUntil(sql, feeds)
    const applied_until = isCaughtUp && until ? null : (until ?? NOTHING_YET)
    return { ...(await read(sql)), applied_until }
  })
}
