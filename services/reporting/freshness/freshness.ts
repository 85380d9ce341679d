import type { Database, Fragment, Transaction } from "../../../lib/db/database"
import { retryOnConflict } from "../../../lib/db/pool"
import { Fault } from "../../../lib/fault"
import {
  type Applied,
  appliedUntilOf,
  type CatchUpResult,
  nothingApplied,
  readApplied,
  selectApplied,
} from "../../../lib/feeds/cursors"
import type { Source } from "../../../lib/feeds/source"
import { catchUp } from "./catch-up"
import { readFromStandby } from "./standby"

type Read<Result> = (sql: Transaction) => Promise<Result>

/**
 * Reads a report in one snapshot. `reached` is the result of a catch-up with the same sources.
 * `applied_until` null: the report includes everything that was committed before its request.
 */
export async function readReport<Result extends object>(
  sources: Source[],
  reached: CatchUpResult | null,
  read: Read<Result>,
) {
  const { applied, result } = await inSnapshot(sources, read)
  return { ...result, applied_until: appliedUntilOf(reached, applied) }
}

/**
 * Reads a report with one statement, which must select `applied` and return at least one row. The
 * statement takes its snapshot after locking its tables. PostgreSQL locks them in any order, so it
 * retries after a deadlock with a rebuild. `applied_until` is null as in readReport.
 */
export async function readReportInOneStatement<Row extends object>(
  sources: Source[],
  reached: CatchUpResult | null,
  statement: (applied: Fragment) => Fragment,
) {
  const run = (sql: Database) => sql<[WithApplied<Row>, ...WithApplied<Row>[]]>`
    ${statement(sql`(${selectApplied(sql, sources)}) as applied`)}
  `
  const rows = await retryOnConflict(() => readFromStandby(run))
  return { rows, applied_until: appliedUntilOf(reached, rows[0].applied) }
}

type WithApplied<Row> = Row & { applied: Applied }

/**
 * Reads a part of an export in one snapshot. Only the first part catches up with the sources.
 * Throws "unavailable" during a rebuild: the export would miss rows that are not applied yet.
 */
export async function readExportPart<Result extends object>(
  sources: Source[],
  isFirst: boolean,
  read: Read<Result>,
) {
  // Only the first part reports its freshness.
  const reached = isFirst ? (await catchUp(sources)).reached : nothingApplied()
  const { applied, result } = await inSnapshot(sources, read)
  if (Object.values(applied).includes(null)) {
    throw new Fault("unavailable", "The reports are being rebuilt: try again later.")
  }
  return { ...result, applied_until: appliedUntilOf(reached, applied) }
}

/**
 * Resolves before the transaction ends: it only reads, so a failing end must not fail the report.
 */
const inSnapshot = <Result>(sources: Source[], read: Read<Result>) =>
  readFromStandby(sql => {
    const { promise, resolve, reject } = Promise.withResolvers<Snapshot<Result>>()
    const transaction = sql.begin("isolation level repeatable read read only", async sql => {
      // Lock before the snapshot: one taken before a rebuild's truncate would see empty tables.
      const locked = sql`lock table daily in access share mode`.execute()
      const [applied, result] = await Promise.all([readApplied(sql, sources), read(sql), locked])
      resolve({ applied, result })
    })
    transaction.catch(reject)
    return promise
  })

type Snapshot<Result> = { applied: Applied; result: Result }
