import type postgres from "postgres"
import { sql } from "./world"

const MOMENT_MS = 200
const PATIENCE_MS = 10_000

/** Keeps a table as it is until the answer is called. */
export async function hold(table: string, mode: string) {
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
 * Resolves once so many sessions wait for locks in the database of a table, however long they take
 * to come to it. Others than those that are meant may wait, too, so they all get a moment.
 */
export async function untilWaiting(
  sessions: number,
  table: string,
  database: Pick<postgres.Sql<any>, "unsafe"> = sql,
) {
  const until = Date.now() + PATIENCE_MS
  for (;;) {
    await Bun.sleep(MOMENT_MS)
    const [found] = await database.unsafe(`
      select count(*)::int as waiting
      from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' -- where ${table} is
    `)
    if (found!.waiting >= sessions) return
    if (Date.now() > until) throw new Error(`${found!.waiting} of ${sessions} wait for a lock.`)
  }
}
