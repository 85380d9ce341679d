import { appliedUntil, lagging, untilOf } from "../../lib/cursors"
import { type Database, type Fragment, raced, type Transaction } from "../../lib/db"
import { Fault } from "../../lib/fault"
import type { Source } from "../../lib/source"
import { catchUp } from "./catch-up"
import { sql } from "./db"
import { reading } from "./standby"

type Read<Result> = (sql: Transaction) => Promise<Result>

/**
 * Catches up with these sources, then reads, all in one snapshot. `applied_until` is null if the
 * report has everything that was answered before it was asked for.
 */
export async function report<Result extends object>(sources: Source[], read: Read<Result>) {
  const isCaughtUp = await catchUp(sources)
  const { until, result } = await inSnapshot(sources, read)
  return { ...result, applied_until: lagging(isCaughtUp, until) }
}

/**
 * The same of values in JSON, by one statement. The caller has caught up itself, and says whether
 * that came about. The statement has a snapshot of its own, which it takes once it has locked its
 * tables. In which order is PostgreSQL's affair, so a rebuild may deadlock with it.
 */
export async function reportAtOnce<Values extends unknown[]>(
  sources: Source[],
  isCaughtUp: boolean,
  values: Fragment[],
) {
  const all = values.reduce((others, value) => sql`${others} || ${value}`, sql`array[]::json[]`)
  const ask = (sql: Database) => sql<[{ until: string | null; read: Values }]>`
    select (${untilOf(sql, sources)}) as until, to_json(${all}) as read
  `
  const [{ until, read }] = await raced(() => reading(ask))
  return { read, applied_until: lagging(isCaughtUp, until) }
}

/**
 * The same for a part of an export, of which the first alone catches up. Throws "unavailable"
 * while the read model is being made anew: what is not there again yet would be left out.
 */
export async function part<Result extends object>(
  sources: Source[],
  isFirst: boolean,
  read: Read<Result>,
) {
  const isCaughtUp = !isFirst || (await catchUp(sources))
  const { until, result } = await inSnapshot(sources, read)
  if (!until) throw new Fault("unavailable", "The reports are being rebuilt: try again later.")
  return { ...result, applied_until: isCaughtUp ? null : until }
}

/** Resolves before the transaction is ended: it has written nothing, so its end can fail nobody. */
const inSnapshot = <Result>(sources: Source[], read: Read<Result>) =>
  reading(sql => {
    const { promise, resolve, reject } = Promise.withResolvers<Snapshot<Result>>()
    const transaction = sql.begin("isolation level repeatable read read only", async sql => {
      // Before the snapshot: one that is older than a rebuild's truncate would see empty tables.
      const locked = sql`lock table daily in access share mode`.execute()
      const [until, result] = await Promise.all([appliedUntil(sql, sources), read(sql), locked])
      resolve({ until, result })
    })
    transaction.catch(reject)
    return promise
  })

type Snapshot<Result> = { until: string | null; result: Result }
