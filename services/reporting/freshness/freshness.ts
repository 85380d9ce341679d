import type { Database, Fragment, Transaction } from "../../../lib/db/database"
import { retryOnConflict } from "../../../lib/db/pool"
import { Fault } from "../../../lib/fault"
import {
  type Applied,
  appliedIn,
  appliedOf,
  lagging,
  nothingReached,
  type Reached,
} from "../../../lib/feeds/cursors"
import type { Source } from "../../../lib/feeds/source"
import { catchUp } from "./catch-up"
import { reading } from "./standby"

type Read<Result> = (sql: Transaction) => Promise<Result>

/**
 * Reads, all in one snapshot, what a catch-up with these sources has reached. `applied_until` is
 * null if the report has everything that was answered before it was asked for.
 */
export async function report<Result extends object>(
  sources: Source[],
  reached: Reached | null,
  read: Read<Result>,
) {
  const { applied, result } = await inSnapshot(sources, read)
  return { ...result, applied_until: lagging(reached, applied) }
}

/**
 * The same by one statement. It selects `applied`, and has at least one row. Its snapshot is its own,
 * and taken once it has locked its tables. In which order is PostgreSQL's affair, so a rebuild may
 * deadlock with it.
 */
export async function reportAtOnce<Row extends object>(
  sources: Source[],
  reached: Reached | null,
  statement: (applied: Fragment) => Fragment,
) {
  const ask = (sql: Database) => sql<[Told<Row>, ...Told<Row>[]]>`
    ${statement(sql`(${appliedIn(sql, sources)}) as applied`)}
  `
  const rows = await retryOnConflict(() => reading(ask))
  return { rows, applied_until: lagging(reached, rows[0].applied) }
}

type Told<Row> = Row & { applied: Applied }

/**
 * The same for a part of an export, of which the first alone catches up. Throws "unavailable"
 * while the read model is being made anew: what is not there again yet would be left out.
 */
export async function part<Result extends object>(
  sources: Source[],
  isFirst: boolean,
  read: Read<Result>,
) {
  const reached = isFirst ? (await catchUp(sources)).reached : nothingReached() // the others promise none
  const { applied, result } = await inSnapshot(sources, read)
  if (Object.values(applied).includes(null)) {
    throw new Fault("unavailable", "The reports are being rebuilt: try again later.")
  }
  return { ...result, applied_until: lagging(reached, applied) }
}

/** Resolves before the transaction is ended: it has written nothing, so its end can fail nobody. */
const inSnapshot = <Result>(sources: Source[], read: Read<Result>) =>
  reading(sql => {
    const { promise, resolve, reject } = Promise.withResolvers<Snapshot<Result>>()
    const transaction = sql.begin("isolation level repeatable read read only", async sql => {
      // Before the snapshot: one that is older than a rebuild's truncate would see empty tables.
      const locked = sql`lock table daily in access share mode`.execute()
      const [applied, result] = await Promise.all([appliedOf(sql, sources), read(sql), locked])
      resolve({ applied, result })
    })
    transaction.catch(reject)
    return promise
  })

type Snapshot<Result> = { applied: Applied; result: Result }
