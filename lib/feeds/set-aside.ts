import { Gauge } from "prom-client"
import type { Database, Transaction } from "../db/database"
import { log } from "../log"
import type { Invariant } from "../reconcile"
import type { Feed } from "./source"

const ROWS_MAX = 100 // of one batch: if more fail, the fault is hardly theirs
const REASON_MAX_LENGTH = 500

const readers: { reader: string; sql: Database }[] = []

new Gauge({
  name: "tributary_feed_rows_set_aside",
  help: "Rows of a feed that could not be applied and wait for another try.",
  labelNames: ["reader", "feed"],
  async collect() {
    this.reset()
    for (const { reader, sql } of readers) {
      const counts = await countSetAside(sql).catch(() => [])
      for (const { feed, rows } of counts) this.set({ reader, feed }, rows)
    }
  },
})

/** Counts the rows in the table `set_aside` of a reader in its metrics. */
export const registerSetAside = (reader: string, sql: Database) => readers.push({ reader, sql })

/** Prepares and applies rows of a feed. */
export async function applyRows(sql: Transaction, feed: Feed, rows: unknown[]) {
  await feed.apply(sql, (await feed.prepare?.(sql, rows)) ?? rows)
}

/**
 * Applies all rows of a feed that can be applied, and sets aside the others with the reason, so that
 * one row does not stop the feed for every program. Halves the rows until those at fault are found.
 */
export async function applyOrSetAside(sql: Transaction, feed: Feed, rows: unknown[]) {
  let found = 0
  const applyHalves = async (rows: unknown[]): Promise<void> => {
    try {
      await sql.savepoint(sql => applyRows(sql, feed, rows))
    } catch (error) {
      if (!isRowAtFault(error) || found >= ROWS_MAX) throw error
      if (rows.length > 1) {
        const middle = Math.ceil(rows.length / 2)
        await applyHalves(rows.slice(0, middle))
        return applyHalves(rows.slice(middle))
      }
      found++
      await setAside(sql, feed, rows[0], error)
    }
  }
  await applyHalves(rows)
}

/** Whether the values of a row may be the reason: a constraint, a type, or a bug with them. */
export function isRowAtFault(error: unknown): boolean {
  const { code } = Object(error) as { code?: unknown }
  if (typeof code === "string") return /^(22|23|P0001)/.test(code)
  return error instanceof TypeError || error instanceof RangeError
}

async function setAside(sql: Transaction, { name: feed }: Feed, row: unknown, err: unknown) {
  const { id, program_id } = Object(row) as { id?: number; program_id?: number }
  log.error({ err, feed, row_id: id, program_id }, "A row cannot be applied and is set aside.")
  await sql`
    insert into set_aside (feed, row, reason)
    values (${feed}, ${JSON.stringify(row)}, ${reasonOf(err)})
  `
}

/** The reason as it is stored. */
export const reasonOf = (error: unknown) =>
  String((error as Error).message ?? error).slice(0, REASON_MAX_LENGTH)

/** Forgets the rows of feeds that are about to be read again. */
export async function forgetSetAside(sql: Transaction, feeds: Feed[]) {
  await sql`
    delete from set_aside
    where feed = any (${feeds.map(({ name }) => name)}::text[])
  `
}

/** Replaces the rows of a feed that are set aside, for example by anonymized ones. */
export async function rewriteSetAside<Row>(
  sql: Transaction,
  feed: string,
  rewrite: (rows: Row[]) => Promise<Row[]>,
) {
  const waiting = await sql<{ id: number; row: string }[]>`
    select id, row
    from set_aside
    where feed = ${feed}
    for update
  `
  if (waiting.length === 0) return
  const rewritten = await rewrite(waiting.map(({ row }) => JSON.parse(row)))
  for (const [i, { id }] of waiting.entries()) {
    await sql`update set_aside set row = ${JSON.stringify(rewritten[i])} where id = ${id}`
  }
}

/** How many rows of each feed are set aside. */
const countSetAside = (sql: Database) => sql<{ feed: string; rows: number }[]>`
  select feed, count(*) as rows
  from set_aside
  group by feed
  order by feed
`

/** Returns a sentence for each feed with rows that are set aside. */
export async function describeSetAside(sql: Database): Promise<string[]> {
  return (await countSetAside(sql)).map(
    ({ feed, rows }) =>
      `${rows} ${rows === 1 ? "row" : "rows"} of the feed ${feed} cannot be applied and ` +
      `${rows === 1 ? "is" : "are"} set aside. npm run audit names them.`,
  )
}

/** Names the rows that a reader has set aside in the audit of the books. */
export const noRowSetAside = (reader: string): Invariant => ({
  invariant: `No row that ${reader} reads is set aside`,
  table: "set_aside",
  violations: sql => sql`
    select
      format('Row %s of the feed %s', "row"::json ->> 'id', feed),
      format('of program %s is set aside since %s, after %s tries: %s',
        "row"::json ->> 'program_id', set_aside_at, tries, reason)
    from set_aside
  `,
})
