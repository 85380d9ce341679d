import type { Static, TSchema } from "@sinclair/typebox"
import { call } from "./bus"
import type { Operation } from "./contract"
import type { Database, Transaction } from "./db"
import type { Cursor, FeedReply, FeedRequest } from "./feed"

const ROWS_MAX = 2_000 // in one batch
const LIMIT_GROWTH_FACTOR = 1.05
const NOTED_EVERY_MS = 1_000

/** A part of a feed, and what takes it in. */
type Batch = {
  size: number
  cursor: Cursor
  is_drained: boolean // the target of the cursor is reached
  apply(sql: Transaction): Promise<unknown>
}

/** What a service takes from another one, row by row. Its name is that of a row in `cursors`. */
export type Feed = {
  name: string
  read(cursor: Cursor | null): Promise<Batch>
  /** Undoes all that was ever applied of it. */
  forget(sql: Transaction): Promise<unknown>
}

export const feedOf = <Row extends TSchema>(
  name: string,
  operation: Operation<typeof FeedRequest, ReturnType<typeof FeedReply<Row>>>,
  apply: (sql: Transaction, rows: Static<Row>[]) => Promise<unknown>,
  forget: Feed["forget"],
): Feed => {
  let limit = ROWS_MAX

  return {
    name,
    forget,

    async read(cursor) {
      const { rows, ...batch } = await call(operation, { cursor, limit })
      const isCut = !batch.is_drained && rows.length < limit // a message holds no more of them
      limit = isCut ? rows.length : Math.min(ROWS_MAX, Math.ceil(limit * LIMIT_GROWTH_FACTOR))
      return { ...batch, size: rows.length, apply: sql => apply(sql, rows) }
    },
  }
}

export async function cursorOf(sql: Database, { name }: Feed): Promise<Cursor | null> {
  const [row] = await sql<[{ cursor: Cursor | null }]>`
    select cursor
    from cursors
    where feed = ${name}
  `
  return row.cursor
}

/**
 * Takes a batch in and moves the cursor, together or not at all. False if the cursor is no longer
 * where the batch began: another replica was faster, or a rebuild has begun.
 */
export async function take(
  sql: Database,
  feed: Feed,
  from: Cursor | null,
  batch: Batch,
): Promise<boolean> {
  if (isWorthNoWrite(from, batch)) return true

  const isOfAnotherServer = from !== null && from.origin !== batch.cursor.origin
  return sql.begin(async sql => {
    const moving = sql`
      update cursors
      set
        cursor = ${sql.json(batch.cursor)},
        applied_until = case
          when ${batch.is_drained} then ${batch.cursor.as_of}::timestamptz
          when ${isOfAnotherServer} then null
          else applied_until
        end
      where feed = ${feed.name} and cursor is not distinct from ${from && sql.json(from)}
    `
    const [, moved] = await Promise.all([takeTurn(sql), moving]) // sent in this order
    if (moved.count === 0) return false

    if (isOfAnotherServer) {
      await sql`set local statement_timeout = '10min'` // it may be years of rows
      await feed.forget(sql) // the batch is the first of all over again
    }
    if (batch.size > 0) await batch.apply(sql)
    return true
  })
}

/** One batch at a time: those of all feeds add to the same rows, and could wait for each other. */
export async function takeTurn(sql: Transaction) {
  await sql`select pg_advisory_xact_lock(hashtext(current_schema() || '.take'))`
}

/** Has a feed read anew from its beginning, where what is applied of it is lost. */
export async function rewind(sql: Transaction, feed: string) {
  await sql`
    update cursors
    set
      cursor = null,
      applied_until = null
    where feed = ${feed}
  `
}

/** Up to when all of these feeds have been applied. Null: one has not been read to an end yet. */
export async function appliedUntil(sql: Transaction, feeds: Feed[]): Promise<string | null> {
  const [oldest] = await sql<[{ applied_until: string | null }]>`
    select applied_until
    from cursors
    where feed in ${sql(feeds.map(feed => feed.name))}
    order by applied_until nulls first
    limit 1
  `
  return oldest.applied_until
}

/** Nothing came, and that this is so was noted not long ago. */
function isWorthNoWrite(from: Cursor | null, { size, cursor, is_drained }: Batch): boolean {
  return (
    size === 0 &&
    is_drained &&
    from?.origin === cursor.origin &&
    from.target === null &&
    Date.parse(cursor.as_of) - Date.parse(from.as_of) < NOTED_EVERY_MS
  )
}
