import type { Database, Transaction } from "./db"
import type { Cursor } from "./feed"
import type { Cursors, Delta, Feed, Source } from "./source"

const NOTED_EVERY_MS = 1_000
const NOTHING_YET = "1970-01-01T00:00:00.000Z"

export async function cursorsOf(sql: Database, { feeds }: Source): Promise<Cursors> {
  const rows = await sql<{ feed: string; cursor: Cursor | null }[]>`
    select feed, cursor
    from cursors
    where feed = any (${namesOf(feeds)}::text[])
  `
  return Object.fromEntries(rows.map(({ feed, cursor }) => [feed, cursor]))
}

/**
 * Takes a batch in and moves the cursors, together or not at all. Returns where they are then; null
 * if they are no longer where the batch began: another replica was faster, a rebuild has begun, or
 * the owner's server is another one, whose first rows are to come.
 */
export async function take(sql: Database, from: Cursors, batch: Delta[]): Promise<Cursors | null> {
  const moved = batch.filter(delta => !isWorthNoWrite(from[delta.feed.name] ?? null, delta))
  if (moved.length === 0) return (await isStillAt(sql, from)) ? from : null

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

/** Moves these cursors, if all of the source are still where the batch began. */
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
      and ${stillAt(sql, from)}
  `
  return count > 0
}

async function isStillAt(sql: Database, from: Cursors): Promise<boolean> {
  const [{ is_there }] = await sql<[{ is_there: boolean }]>`
    select ${stillAt(sql, from)} as is_there
  `
  return is_there
}

/** Whether all cursors still are where a batch began: a crash may have taken them back, too. */
const stillAt = (sql: Database | Transaction, from: Cursors) => sql`
  not exists (
    select
    from jsonb_each(${sql.json(from)}) as began (feed, cursor)
    join cursors using (feed)
    where cursors.cursor is distinct from nullif(began.cursor, 'null')
  )
`

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

/** Up to when all of these have been applied. Null: a feed has not been read to an end yet. */
export async function appliedUntil(sql: Transaction, sources: Source[]): Promise<string | null> {
  const [oldest] = await sql<[{ applied_until: string | null }]>`${untilOf(sql, sources)}`
  return oldest.applied_until
}

/** The same, as a part of a statement. */
export const untilOf = (sql: Database | Transaction, sources: Source[]) => sql`
  select applied_until
  from cursors
  where feed = any (${namesOf(sources.flatMap(source => source.feeds))}::text[])
  order by applied_until nulls first
  limit 1
`

/**
 * What an answer says of its lag, where this was applied when it was read: null if it has everything
 * that was answered before it was asked for.
 */
export const lagging = (isCaughtUp: boolean, until: string | null): string | null =>
  isCaughtUp && until ? null : (until ?? NOTHING_YET)

/** Nothing came, and that this is so was noted not long ago. */
function isWorthNoWrite(from: Cursor | null, { rows, cursor, is_drained }: Delta): boolean {
  return (
    rows.length === 0 &&
    is_drained &&
    from?.origin === cursor.origin &&
    from.target === null &&
    Date.parse(cursor.as_of) - Date.parse(from.as_of) < NOTED_EVERY_MS
  )
}

const isOfAnotherServer = (from: Cursor | null, { origin }: Cursor) =>
  from !== null && from.origin !== origin

const namesOf = (feeds: Feed[]) => feeds.map(feed => feed.name)
