import type { Database } from "../../../lib/db/database"
import { Fault } from "../../../lib/fault"
import { log } from "../../../lib/log"
import { sql, standby_sql } from "../db"

const REPLAY_MS_MAX = 1_000
const LOOK_AGAIN_AFTER_MS = 5
const PAUSE_MS = 5_000 // before a standby that was late or away is asked again

let is_left_alone_until = 0

/**
 * Reads from the standby, once it has replayed all that the primary has committed by now: what a
 * catch-up applied before is in it. Where there is none, or it is late or away, from the primary.
 */
export async function reading<Result>(read: (sql: Database) => Promise<Result>): Promise<Result> {
  if (!standby_sql || Date.now() < is_left_alone_until) return read(sql)

  try {
    await replay(standby_sql)
    return await read(standby_sql)
  } catch (err) {
    if (err instanceof Fault) throw err
    is_left_alone_until = Date.now() + PAUSE_MS
    log.warn({ err }, "The standby of reporting was late or away: its primary is read.")
    return read(sql)
  }
}

/** One that is no standby any more, or of another server, has a history of its own. */
async function replay(standby_sql: Database) {
  const [primary] = await sql<[Place]>`
    select system_identifier::text, pg_current_wal_insert_lsn()::text as committed
    from pg_control_system()
  `
  let isLate = false
  const replayed = async () => {
    while (!isLate && !(await hasReplayed(standby_sql, primary))) {
      await Bun.sleep(LOOK_AGAIN_AFTER_MS)
    }
    return !isLate
  }
  const isThere = await Promise.race([replayed(), Bun.sleep(REPLAY_MS_MAX).then(() => false)])
  isLate = true
  if (!isThere) throw new Error(`It has not come to ${primary.committed} in ${REPLAY_MS_MAX} ms.`)
}

type Place = { system_identifier: string; committed: string }

async function hasReplayed(standby_sql: Database, { system_identifier, committed }: Place) {
  const [{ is_there }] = await standby_sql<[{ is_there: boolean }]>`
    select
      pg_is_in_recovery()
        and system_identifier::text = ${system_identifier}
        and pg_last_wal_replay_lsn() >= ${committed}::pg_lsn as is_there
    from pg_control_system()
  `
  return is_there
}
