import { appliedUntil, type Feed } from "../../lib/cursors"
import type { Transaction } from "../../lib/db"
import { Fault } from "../../lib/fault"
import { catchUp } from "./catch-up"
import { sql } from "./db"

const NOTHING_YET = "1970-01-01T00:00:00.000Z"

type Read<Result> = (sql: Transaction) => Promise<Result>

/**
 * Catches up with these feeds, then reads, all in one snapshot. `applied_until` is null if the
 * report has everything that was answered before it was asked for.
 */
export async function report<Result extends object>(feeds: Feed[], read: Read<Result>) {
  const isCaughtUp = await catchUp(feeds)

  return inSnapshot(feeds, async (sql, until) => {
    const applied_until = isCaughtUp && until ? null : (until ?? NOTHING_YET)
    return { ...(await read(sql)), applied_until }
  })
}

/**
 * The same for a part of an export, of which the first alone catches up. Throws "unavailable"
 * while the read model is being made anew: what is not there again yet would be left out.
 */
export async function part<Result extends object>(
  feeds: Feed[],
  isFirst: boolean,
  read: Read<Result>,
) {
  const isCaughtUp = !isFirst || (await catchUp(feeds))

  return inSnapshot(feeds, async (sql, until) => {
    if (!until) throw new Fault("unavailable", "The reports are being rebuilt: try again later.")
    return { ...(await read(sql)), applied_until: isCaughtUp ? null : until }
  })
}

const inSnapshot = <Result>(
  feeds: Feed[],
  read: (sql: Transaction, until: string | null) => Promise<Result>,
) =>
  sql.begin("isolation level repeatable read read only", async sql => {
    // Before the snapshot: one that is older than a rebuild's truncate would see empty tables.
    await sql`lock table daily in access share mode`
    return read(sql, await appliedUntil(sql, feeds))
  }) as Promise<Result>
