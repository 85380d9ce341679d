import type { Database } from "../../../lib/db/database"
import { Fault } from "../../../lib/fault"
import { log } from "../../../lib/log"
import { sql, standby_sql } from "../db"

const REPLAY_MS_MAX = 1_000
const POLL_PAUSE_MS = 5
const RETRY_AFTER_MS = 5_000 // when the standby was behind or unavailable

let skippedUntilMs = 0

/**
 * Reads from the standby once it has replayed all that the primary has committed by now, so that it
 * includes what a catch-up has just applied. Reads from the primary if there is no standby, or if
 * the standby is behind or unavailable.
 */
export async function readFromStandby<Result>(
  read: (sql: Database) => Promise<Result>,
): Promise<Result> {
  if (!standby_sql || Date.now() < skippedUntilMs) return read(sql)

  try {
    await waitForReplay(standby_sql)
    return await read(standby_sql)
  } catch (err) {
    if (err instanceof Fault) throw err
    skippedUntilMs = Date.now() + RETRY_AFTER_MS
    log.warn(
      { err },
      "The standby of reporting is behind or unavailable: reading from the primary.",
    )
    return read(sql)
  }
}

/**
 * Throws if the standby does not catch up in time. A promoted server, or another one, never does.
 */
async function waitForReplay(standby_sql: Database) {
  const [primary] = await sql<[WalPosition]>`
    select system_identifier::text, pg_current_wal_insert_lsn()::text as committed
    from pg_control_system()
  `
  let isTimedOut = false
  const replayed = async () => {
    while (!isTimedOut && !(await hasReplayed(standby_sql, primary))) {
      await Bun.sleep(POLL_PAUSE_MS)
    }
    return !isTimedOut
  }
  const isReplayed = await Promise.race([replayed(), Bun.sleep(REPLAY_MS_MAX).then(() => false)])
  isTimedOut = true
  if (!isReplayed) {
    throw new Error(`It did not replay ${primary.committed} within ${REPLAY_MS_MAX} ms.`)
  }
}

type WalPosition = { system_identifier: string; committed: string }

async function hasReplayed(standby_sql: Database, { system_identifier, committed }: WalPosition) {
  const [{ has_replayed }] = await standby_sql<[{ has_replayed: boolean }]>`
    select
      pg_is_in_recovery()
        and system_identifier::text = ${system_identifier}
        and pg_last_wal_replay_lsn() >= ${committed}::pg_lsn as has_replayed
    from pg_control_system()
  `
  return has_replayed
}
