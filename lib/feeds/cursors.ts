import type { Database, Transaction } from "../db/database"
import type { FeedPosition } from "./feed"
import { applyOrSetAside, forgetSetAside } from "./set-aside"
import type { Cursors, Delta, Feed, Source } from "./source"

const IDLE_WRITE_INTERVAL_MS = 1_000
const NEVER = "1970-01-01T00:00:00.000Z"

/** Reads the stored cursors of a source. */
export async function readCursors(sql: Database, { feeds }: Source): Promise<Cursors> {
  const rows = await sql<{ feed: string; cursor: FeedPosition | null }[]>`
    select feed, cursor
    from cursors
    where feed = any (${namesOf(feeds)}::text[])
  `
  return Object.fromEntries(rows.map(({ feed, cursor }) => [feed, cursor]))
}

/**
 * Applies a batch and moves the cursors in one transaction. Returns the new cursors. Null: they
 * were no longer where the batch began, because another replica was faster, a rebuild has begun, or
 * the owner's server has changed and its feeds start again. If no cursor is to be moved, the stored
 * ones are not checked here: `appliedUntilOf` compares them in the reader's snapshot.
 * `setsAside`: rows that cannot be applied are set aside, instead of failing the batch.
 */
export async function applyBatch(
  sql: Database,
  from: Cursors,
  batch: Delta[],
  setsAside = false,
): Promise<Cursors | null> {
  const moved = batch.filter(delta => !isIdle(from[delta.feed.name] ?? null, delta))
  if (moved.length === 0) return from

  return sql.begin(async sql => {
    const lockAndMove = Promise.all([lockCursors(sql), moveCursors(sql, from, moved)]) // in order
    const moving = lockAndMove.then(([, isOurs]) => isOurs)
    if (moved.some(({ feed, cursor }) => hasOtherOrigin(from[feed.name] ?? null, cursor))) {
      if (await moving) await forgetSource(sql, batch)
      return null
    }
    for (const { feed, rows } of moved.filter(({ rows }) => rows.length > 0)) {
      if (setsAside) {
        if (!(await moving)) return null
        await applyOrSetAside(sql, feed, rows)
        continue
      }
      const preparing = feed.prepare?.(sql, rows) ?? rows // the first in the same round trip
      const [isOurs, prepared] = await Promise.all([moving, preparing])
      if (!isOurs) return null
      await feed.apply(sql, prepared)
    }
    if (!(await moving)) return null
    return { ...from, ...Object.fromEntries(moved.map(({ feed, cursor }) => [feed.name, cursor])) }
  })
}

/**
 * Moves these cursors if all cursors of the source are still where the batch began. A crash may
 * have set back any of them.
 */
async function moveCursors(sql: Transaction, from: Cursors, moved: Delta[]): Promise<boolean> {
  const updates = moved.map(({ feed, cursor, is_drained }) => ({
    feed: feed.name,
    cursor,
    applied_until: is_drained ? cursor.as_of : null,
  }))
  const { count } = await sql`
    update cursors
    set
      cursor = move.cursor,
      applied_until = coalesce(move.applied_until, cursors.applied_until)
    from jsonb_to_recordset(${sql.json(updates)}) as move (
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

/** Deletes everything applied from a source whose server has changed, and resets its cursors. */
async function forgetSource(sql: Transaction, batch: Delta[]) {
  await sql`set local statement_timeout = '10min'` // it may be years of rows
  const feeds = batch.map(({ feed }) => feed)
  for (const feed of feeds) await feed.forget(sql)
  await forgetSetAside(sql, feeds)
  await sql`
    update cursors
    set
      cursor = null,
      applied_until = null
    where feed = any (${namesOf(feeds)}::text[])
  `
}

/** Locks the cursors until the transaction ends: concurrent batches could deadlock. */
export async function lockCursors(sql: Transaction) {
  await sql`select pg_advisory_xact_lock(hashtext(current_schema() || '.take'))`
}

/** Up to when each feed has been applied. Null: it has not reached a target yet. */
export type Applied = Record<string, string | null>

/** Reads up to when each feed of these sources has been applied. */
export async function readApplied(
  sql: Database | Transaction,
  sources: Source[],
): Promise<Applied> {
  const [{ applied }] = await sql<[{ applied: Applied }]>`
    select (${selectApplied(sql, sources)}) as applied
  `
  return applied
}

/** Selects up to when each feed has been applied, as a JSON object, to embed in a statement. */
export const selectApplied = (sql: Database | Transaction, sources: Source[]) => sql`
  select json_object_agg(feed, applied_until)
  from cursors
  where feed = any (${namesOf(sources.flatMap(source => source.feeds))}::text[])
`

/**
 * Up to when a catch-up applied each feed, and when it checked, by an owner's clock. A feed that
 * its owner does not know yet is absent. `checkedAt` null: no feed was read.
 */
export type CatchUpResult = { until: Record<string, string>; checkedAt: string | null }
export const nothingApplied = (): CatchUpResult => ({ until: {}, checkedAt: null })

/**
 * Returns the freshness of a report read with this `applied`. Null: it has everything confirmed
 * before its request (behaviour 7.5). `reached` is the result of the catch-up, null if it failed; a
 * crash or a rebuild may have undone it since.
 */
export function appliedUntilOf(reached: CatchUpResult | null, applied: Applied): string | null {
  const isApplied = ([feed, until]: [string, string | null]) =>
    until !== null && msOf(until) >= msOf(reached?.until[feed])
  if (reached && Object.entries(applied).every(isApplied)) return null
  return new Date(Math.min(...Object.values(applied).map(msOf))).toISOString()
}

const msOf = (until?: string | null) => Date.parse(until ?? NEVER)

/** Whether a feed has no new rows, and its position was stored recently enough. */
function isIdle(from: FeedPosition | null, { rows, cursor, is_drained }: Delta): boolean {
  return (
    rows.length === 0 &&
    is_drained &&
    from?.origin === cursor.origin &&
    from.target === null &&
    Math.abs(Date.parse(cursor.as_of) - Date.parse(from.as_of)) < IDLE_WRITE_INTERVAL_MS
  )
}

const hasOtherOrigin = (from: FeedPosition | null, { origin }: FeedPosition) =>
  from !== null && from.origin !== origin

const namesOf = (feeds: Feed[]) => feeds.map(feed => feed.name)
