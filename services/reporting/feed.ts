import type { Static, TSchema } from "@sinclair/typebox"
import { call } from "../../lib/bus"
import type { Operation } from "../../lib/contract"
import type { Transaction } from "../../lib/db"
import type { Cursor, FeedReply, FeedRequest } from "../../lib/feed"

const ROWS_PER_MESSAGE = 2_000

/** A part of a feed, and what takes it into the read model. */
export type Batch = {
  size: number
  cursor: Cursor
  is_drained: boolean // the target of the cursor is reached
  apply(sql: Transaction): Promise<unknown>
}

/** What the read model takes from another service, row by row. */
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
): Feed => ({
  name,
  forget,

  async read(cursor) {
    const { rows, ...batch } = await call(operation, { cursor, limit: ROWS_PER_MESSAGE })
    return { ...batch, size: rows.length, apply: sql => apply(sql, rows) }
  },
})
