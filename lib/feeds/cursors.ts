import type { Database, Transaction } from "../db/database"
import type { FeedPosition } from "./feed"
import type { Cursors, Delta, Feed, Source } from "./source"

const NOTED_EVERY_MS = 1_000
const NOTHING_YET = "1970-01-01T00:00:00.000Z"

export async function cursorsOf(sql: Database, { feeds }: Source): Promise<Cursors> {
  const rows = await sql<{ feed: string; cursor: FeedPosition | null }[]>`
    select feed, cursor
    from cursors
    where feed = any (${namesOf(feeds)}::text[])
  `
  return Object.fromEntries(rows.map(({ feed, cursor }) => [feed, cursor]))
}

/**
 * Takes a batch in and moves the cursors, together or not at all. Returns where they are then; null
 * if they are no longer where the batch began: another replica was faster, a rebuild has begun, or
 * the owner's server is another one, whose first rows are to come. Where nothing is to be moved,
 * nobody looks: `lagging` does, in the reader's snapshot.
 */
export async function take(sql: Database, from: Cursors, batch: Delta[]): Promise<Cursors | null> {
  const moved = batch.filter(delta => !isWorthNoWrite(from[delta.feed.name] ?? null, delta))
  if (moved.length === 0) return from

  return sql.begin(async sql => {
    const turn = Promise.all([takeTurn(sql), move(sql, from, moved)]) // in this order
    const moving = turn.then(([, isOurs]) => isOurs)
    if (moved.some(({ feed, cursor }) => isOfAnotherServer(from[feed.name] ?? null, cursor))) {
      if (await moving) await forgetSource(sql, batch)
      return null
    }
    for (const { feed, rows } of moved.filter(({ rows }) => rows.length > 0)) {
      const preparing = feed.prepare?.(sql, rows) ?? rows // of the first, in the turn's round trip
      const [isOurs, prepared] = await Promise.all([moving, preparing])
      if (!isOurs) return null
      await feed.apply(sql, prepared)
    }
    if (!(await moving)) return null
    return { ...from, ...Object.fromEntries(moved.map(({ feed, cursor }) => [feed.name, cursor])) }
  })
}

/**
 * Moves these cursors, if all of the source are still where the batch began: a crash may have taken
 * others back, too.
 */
async function move(sql: Transaction, from: Cursors, moved: Delta[]): Promise<boolean> {
  const moves = moved.map(({ feed, cursor, is_drained }) => ({
    feed: feed.name,
    cursor,
    applied_until: is_drained ? cursor.as_of : null,
  }))
  const { count } = await sql`
    update cursors
    set
      cursor = move.cursor,
      applied_until = coalesce(move.applied_until, cursors.applied_until)
    from jsonb_to_recordset(${sql.json(moves)}) as move (
      feed text, cursor jsonb, applied_until timestamptz
    )
    where cursors.feed = move.feed
      and not exists (
        select
        from jsonb_each(${sql.json(from)}) as began (feed, cursor)
        join cursors using (feed)
        where cursors.cursor is distinct from nullif(began.cursor, 'null')
      )
  `
  return count > 0
}

/** What another server has told is nothing that this one goes on from. */
async function forgetSource(sql: Transaction, batch: Delta[]) {
  await sql`set local statement_timeout = '10min'` // it may be years of rows
  for (const { feed } of batch) await feed.forget(sql)
  await sql`
    update cursors
    set
      cursor = null,
      applied_until = null
    where feed = any (${namesOf(batch.map(({ feed }) => feed))}::text[])
  `
}

/** Whoever moves cursors does so alone: batches add to the same rows, and could wait for each other. */
export async function takeTurn(sql: Transaction) {
  await sql`select pg_advisory_xact_lock(hashtext(current_schema() || '.take'))`
}

/** Up to when each of these feeds has been applied. Null: it has not been read to an end yet. */
export type Applied = Record<string, string | null>

export async function appliedOf(sql: Transaction, sources: Source[]): Promise<Applied> {
  const [{ applied }] = await sql<[{ applied: Applied }]>`
    select (${appliedIn(sql, sources)}) as applied
  `
  return applied
}

/** The same, as a part of a statement. */
export const appliedIn = (sql: Database | Transaction, sources: Source[]) => sql`
  select json_object_agg(feed, applied_until)
  from cursors
  where feed = any (${namesOf(sources.flatMap(source => source.feeds))}::text[])
`

/**
 * Up to when a catch-up found each feed applied, and when it looked, by an owner's clock. A feed is
 * absent that its owner does not know yet. `looked_at` null: no feed was told.
 */
export type Reached = { until: Record<string, string>; looked_at: string | null }
export const nothingReached = (): Reached => ({ until: {}, looked_at: null })

/**
 * What an answer says of its lag, where this was applied when it was read: null if it has everything
 * that was answered before it was asked for. `reached`: null if the catch-up did not come about. What
 * it had reached a crash may have taken back since, and a rebuild all of it.
 */
export function lagging(reached: Reached | null, applied: Applied): string | null {
  const isThere = ([feed, until]: [string, string | null]) =>
    until !== null && msOf(until) >= msOf(reached?.until[feed])
  if (reached && Object.entries(applied).every(isThere)) return null
  return new Date(Math.min(...Object.values(applied).map(msOf))).toISOString()
}

const msOf = (until?: string | null) => Date.parse(until ?? NOTHING_YET)

/** Nothing came, and that this is so was noted not long ago. */
function isWorthNoWrite(from: FeedPosition | null, { rows, cursor, is_drained }: Delta): boolean {
  return (
    rows.length === 0 &&
    is_drained &&
    from?.origin === cursor.origin &&
    from.target === null &&
    Math.abs(Date.parse(cursor.as_of) - Date.parse(from.as_of)) < NOTED_EVERY_MS
  )
}

const isOfAnotherServer = (from: FeedPosition | null, { origin }: FeedPosition) =>
  from !== null && from.origin !== origin

const namesOf = (feeds: Feed[]) => feeds.map(feed => feed.name)
