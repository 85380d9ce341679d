import type { Static, TSchema } from "@sinclair/typebox"
import { call } from "../bus/bus"
import type { Transaction } from "../db/database"
import { type FeedPosition, type feedsOf, rowOf } from "./feed"

const ROWS_MAX = 300 // of a feed in one message: while its owner tells them, all else waits there
const BATCH_ENOUGH_ROWS = 10_000 // taken in at once: in a flood the same sums are written less often
const LIMIT_GROWTH_FACTOR = 1.05

/** What a service takes from another one, row by row. Its name is that of a row in `cursors`. */
export type Feed<Row = any> = {
  name: string
  /** The rows as they are to be applied. It is asked before it is certain that they will be. */
  prepare?(sql: Transaction, rows: Row[]): Promise<Row[]>
  apply(sql: Transaction, rows: Row[]): Promise<unknown>
  /** Undoes all that was ever applied of it, along with the other feeds of its source. */
  forget(sql: Transaction): Promise<unknown>
}

/** How far each feed of a source is read, by the feed's name. Null: nothing of it is. */
export type Cursors = Record<string, FeedPosition | null>

/** What came of a feed in one batch. `is_drained`: the target of the cursor is reached. */
export type Delta = { feed: Feed; rows: unknown[]; cursor: FeedPosition; is_drained: boolean }

/** An owner of feeds, which tells more of all of them at once: of those that it knows. */
export type Source = { feeds: Feed[]; read(cursors: Cursors): Promise<Delta[]> }

export function sourceOf<Rows extends Record<string, TSchema>>(
  operation: ReturnType<typeof feedsOf<Rows>>,
  feeds: { [Name in keyof Rows]: Feed<Static<Rows[Name]>> },
): Source {
  const named = Object.entries<Feed>(feeds)
  let limit = ROWS_MAX

  /** One message: more of those feeds. */
  async function ask(cursors: Cursors, of: (feed: Feed) => boolean): Promise<Delta[]> {
    const asked = named.filter(([, feed]) => of(feed))
    const from = asked.map(([name, feed]) => [name, cursors[feed.name] ?? null])
    const told: { [name: string]: Told | undefined } = await call(operation, {
      cursors: Object.fromEntries(from),
      limit,
      takes_lists: true,
    })
    const deltas = asked.flatMap(([name, feed]) => (told[name] ? deltaOf(feed, told[name]) : []))
    limit = nextLimit(limit, deltas)
    return deltas
  }

  /** Several messages, which are taken in together: a flood adds to each sum once for all of them. */
  async function read(cursors: Cursors): Promise<Delta[]> {
    let batch = await ask(cursors, () => true)
    for (;;) {
      const open = new Set(batch.filter(({ is_drained }) => !is_drained).map(({ feed }) => feed))
      if (open.size === 0 || rowsIn(batch) >= BATCH_ENOUGH_ROWS) return batch

      const more = await ask(cursorsAfter(batch), feed => open.has(feed)).catch(() => [])
      if (!isSequel(batch, more)) return batch // what failed will fail again, as the next batch
      batch = batch.map(delta => joined(delta, more))
    }
  }

  return { feeds: named.map(([, feed]) => feed), read }
}

type Told = Omit<Delta, "feed"> & { columns?: string[] }

/** An owner of the version before tells objects, not lists. */
const deltaOf = (feed: Feed, { columns, rows, ...told }: Told): Delta => ({
  feed,
  rows: columns ? rows.map(row => rowOf(columns, row as unknown[])) : rows,
  ...told,
})

const rowsIn = (batch: Delta[]) => batch.reduce((sum, { rows }) => sum + rows.length, 0)

export const cursorsAfter = (batch: Delta[]): Cursors =>
  Object.fromEntries(batch.map(({ feed, cursor }) => [feed.name, cursor]))

/** Whether there is more, and of the same server. */
const isSequel = (batch: Delta[], more: Delta[]): boolean =>
  rowsIn(more) > 0 && more.every(({ cursor }) => cursor.origin === batch[0]?.cursor.origin)

function joined(delta: Delta, more: Delta[]): Delta {
  const next = more.find(({ feed }) => feed === delta.feed)
  return next ? { ...next, rows: [...delta.rows, ...next.rows] } : delta
}

/** As many rows as a message could hold, and a few more each time. */
function nextLimit(limit: number, deltas: Delta[]): number {
  const cut = deltas.find(({ rows, is_drained }) => !is_drained && rows.length < limit)
  const wanted = cut ? Math.max(cut.rows.length, limit / 2) : limit * LIMIT_GROWTH_FACTOR
  return Math.min(ROWS_MAX, Math.ceil(wanted))
}
