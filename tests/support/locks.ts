import type postgres from "postgres"
import { sql } from "./world"

const MOMENT_MS = 200
const TIMEOUT_MS = 10_000

/** Locks a table in a transaction. Returns the function that releases the lock. */
export async function lockTable(table: string, mode: string) {
  const { promise: released, resolve } = Promise.withResolvers<void>()
  const { promise: held, resolve: isHeld } = Promise.withResolvers<void>()
  const holding = sql.begin(async sql => {
    await sql.unsafe(`lock table ${table} in ${mode} mode`)
    isHeld()
    await released
  })
  await held
  return () => {
    resolve()
    return holding
  }
}

/**
 * Waits until at least `sessions` sessions wait for a lock in the database of `table`. Unrelated
 * sessions may be waiting too, so each check is preceded by a short pause.
 */
export async function waitForBlockedSessions(
  sessions: number,
  table: string,
  database: Pick<postgres.Sql<any>, "unsafe"> = sql,
) {
  const until = Date.now() + TIMEOUT_MS
  for (;;) {
    await Bun.sleep(MOMENT_MS)
    const [found] = await database.unsafe(`
      select count(*)::int as waiting
      from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' -- where ${table} is
    `)
    if (found!.waiting >= sessions) return
    if (Date.now() > until)
      throw new Error(`${found!.waiting} of ${sessions} sessions wait for a lock.`)
  }
}
