import type { Static, TSchema } from "@sinclair/typebox"
import { call } from "../bus/bus"
import type { Transaction } from "../db/database"
import { type FeedPosition, type feedsOf, rowOf } from "./feed"

const ROWS_MAX = 300 // per feed and message: serializing them blocks the owner's event loop
const BATCH_ENOUGH_ROWS = 10_000 // applied at once: under load the same sums are written less often
const LIMIT_GROWTH_FACTOR = 1.05

/** A feed that this service applies. `name` is its key in the table `cursors`. */
export type Feed<Row = any> = {
  name: string
  /** Prepares rows for `apply`. Runs before it is certain that they will be applied. */
  prepare?(sql: Transaction, rows: Row[]): Promise<Row[]>
  apply(sql: Transaction, rows: Row[]): Promise<unknown>
  /** Deletes everything ever applied. The other feeds of the source do the same. */
  forget(sql: Transaction): Promise<unknown>
}

/** How far each feed of a source is read, by the feed's name. Null: not at all. */
export type Cursors = Record<string, FeedPosition | null>

/** The new rows of a feed in one batch. `is_drained`: the target of the cursor is reached. */
export type Delta = { feed: Feed; rows: unknown[]; cursor: FeedPosition; is_drained: boolean }

/** A service that owns feeds. `read` returns the next rows of all feeds that it knows. */
export type Source = { feeds: Feed[]; read(cursors: Cursors): Promise<Delta[]> }

/** Creates the source of the feeds that an operation of another service returns. */
export function sourceOf<Rows extends Record<string, TSchema>>(
  operation: ReturnType<typeof feedsOf<Rows>>,
  feeds: { [Name in keyof Rows]: Feed<Static<Rows[Name]>> },
): Source {
  const named = Object.entries<Feed>(feeds)
  let limit = ROWS_MAX

  /** Reads the selected feeds with one message. */
  async function request(cursors: Cursors, isSelected: (feed: Feed) => boolean): Promise<Delta[]> {
    const selected = named.filter(([, feed]) => isSelected(feed))
    const from = selected.map(([name, feed]) => [name, cursors[feed.name] ?? null])
    const reply: { [name: string]: Part | undefined } = await call(operation, {
      cursors: Object.fromEntries(from),
      limit,
      takes_lists: true,
    })
    const deltas = selected.flatMap(([name, feed]) =>
      reply[name] ? deltaOf(feed, reply[name]) : [],
    )
    limit = nextLimit(limit, deltas)
    return deltas
  }

  /** Reads several messages as one batch, so that each sum is written once for all of them. */
  async function read(cursors: Cursors): Promise<Delta[]> {
    let batch = await request(cursors, () => true)
    for (;;) {
      const open = new Set(batch.filter(({ is_drained }) => !is_drained).map(({ feed }) => feed))
      if (open.size === 0 || rowsIn(batch) >= BATCH_ENOUGH_ROWS) return batch

      const more = await request(cursorsAfter(batch), feed => open.has(feed)).catch(() => [])
      if (!isSequel(batch, more)) return batch // an error will recur with the next batch
      batch = batch.map(delta => merge(delta, more))
    }
  }

  return { feeds: named.map(([, feed]) => feed), read }
}

type Part = Omit<Delta, "feed"> & { columns?: string[] }

/** An owner of an older version sends rows as objects, without `columns`. */
const deltaOf = (feed: Feed, { columns, rows, ...part }: Part): Delta => ({
  feed,
  rows: columns ? rows.map(row => rowOf(columns, row as unknown[])) : rows,
  ...part,
})

const rowsIn = (batch: Delta[]) => batch.reduce((sum, { rows }) => sum + rows.length, 0)

/** The cursors after a batch, by the name of the feed. */
export const cursorsAfter = (batch: Delta[]): Cursors =>
  Object.fromEntries(batch.map(({ feed, cursor }) => [feed.name, cursor]))

/** Whether `more` has rows and is from the same server as the batch. */
const isSequel = (batch: Delta[], more: Delta[]): boolean =>
  rowsIn(more) > 0 && more.every(({ cursor }) => cursor.origin === batch[0]?.cursor.origin)

function merge(delta: Delta, more: Delta[]): Delta {
  const next = more.find(({ feed }) => feed === delta.feed)
  return next ? { ...next, rows: [...delta.rows, ...next.rows] } : delta
}

/** The rows that the last message had room for, or slightly more than before if all fitted. */
function nextLimit(limit: number, deltas: Delta[]): number {
  const cut = deltas.find(({ rows, is_drained }) => !is_drained && rows.length < limit)
  const next = cut ? Math.max(cut.rows.length, limit / 2) : limit * LIMIT_GROWTH_FACTOR
  return Math.min(ROWS_MAX, Math.ceil(next))
}
