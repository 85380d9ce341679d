import { fitInto, ROWS_MAX_BYTES } from "../bus/rows-that-fit"
import type { Database, Fragment } from "../db/database"
import { database } from "../db/pool"
import { checkFeeds, type Now, xmaxOf } from "./check-feeds"
import { type FeedPosition, rowOf } from "./feed"

const CONNECTIONS = 4

/**
 * Opens the pool that a service reads its feeds with. Its settings force the feed's index and a
 * generic plan. On a table with outdated or no statistics the planner would read and sort all rows
 * for each part, and planning over many partitions takes longer than reading a few rows.
 */
export const feedDatabase = (schema: string): Database =>
  database(schema, {
    pool: `${schema}_feeds`,
    connections: CONNECTIONS,
    settings: {
      enable_seqscan: "off",
      enable_bitmapscan: "off",
      enable_sort: "off",
      plan_cache_mode: "force_generic_plan",
    },
  })

type Table = { columns: Fragment; table: string }
type FeedsRequest<Name extends string> = {
  cursors: { [Each in Name]?: FeedPosition | null }
  limit: number
  takes_lists?: boolean
}
type FeedPart = { columns?: string[]; rows: unknown[]; cursor: FeedPosition; is_drained: boolean }

/**
 * Reads the next rows of each feed in `cursors`, as many as fit in one message. Earlier feeds come
 * first. Handles an operation declared with `feedsOf`.
 */
export async function readFeedRows<Reply extends { [name: string]: FeedPart | undefined }>(
  sql: Database,
  tables: Record<keyof Reply & string, Table>,
  { cursors, limit, takes_lists = false }: FeedsRequest<keyof Reply & string>,
): Promise<Reply> {
  const names = (Object.keys(tables) as (keyof Reply & string)[]).filter(name => name in cursors)
  const positions = names.map(name => ({ ...tables[name], done: cursors[name]?.done ?? NOTHING }))
  const { news, ...now } = await checkFeeds(sql, positions, Object.values(cursors))
  const read = await Promise.all(
    names.map(async (name, i) => {
      const from = withTarget(cursors[name] ?? null, now)
      const hasNews = news[i] || cursors[name]?.origin !== now.origin // all rows are news then
      return { from, ...(hasNews ? await readFeed(sql, tables[name], from, limit) : NO_ROWS) }
    }),
  )
  let remainingBytes = ROWS_MAX_BYTES
  const parts = read.map(({ from, columns, rows, positions }) => {
    const fitting = fitInto<unknown>(
      remainingBytes,
      takes_lists ? rows : rows.map(row => rowOf(columns, row)),
    )
    remainingBytes -= fitting.bytes
    const isAll = rows.length < limit && fitting.rows.length === rows.length
    return {
      ...(takes_lists && { columns }),
      rows: fitting.rows,
      ...positionAfter(positions[fitting.rows.length - 1], from, isAll),
    }
  })
  return Object.fromEntries(names.map((name, i) => [name, parts[i]])) as Reply // as its tables say
}

/**
 * Reads the rows that have become visible since a cursor, in the order of their transactions.
 *
 * `final_xact` of a row is the transaction that made it final (null: not yet, or never). Reading
 * everything above the last id would miss rows whose transaction committed late. Reading only below
 * the oldest running transaction would stall behind a long one. So the cursor keeps the highest
 * transaction read and those below it that were still running.
 */
async function readFeed(
  sql: Database,
  { columns, table }: Table,
  from: Targeted,
  limit: number,
): Promise<Rows> {
  const selected = sql`
    select final_xact as at_xact, id as at_id, ${columns}
    from ${sql(table)}
    where pg_visible_in_snapshot(final_xact, ${from.target})
  `
  const found = await sql`
    select delta.*
    from (
      (
        ${selected}
          and final_xact < pg_snapshot_xmax(${from.target}::pg_snapshot) -- ends the index scan here
          and (final_xact, id) > (
            greatest(${from.at_xact}::xid8, pg_snapshot_xmax(${from.done}::pg_snapshot)),
            case
              when ${from.at_xact}::xid8 >= pg_snapshot_xmax(${from.done}::pg_snapshot)
              then ${from.at_id}::bigint
              else 0
            end
          )
        order by final_xact, id
        limit ${limit}
      )
      union all
      (
        ${selected}
          and final_xact = any (array(select pg_snapshot_xip(${from.done}::pg_snapshot)))
          and (final_xact, id) > (${from.at_xact}::xid8, ${from.at_id}::bigint)
        order by final_xact, id
        limit ${limit}
      )
    ) as delta
    order by delta.at_xact, delta.at_id
    limit ${limit}
  `.values()
  return {
    columns: found.columns.slice(2).map(({ name }) => name),
    rows: found.map(row => row.slice(2)),
    positions: found.map(([at_xact, at_id]) => ({ at_xact, at_id })),
  }
}

type RowPosition = Pick<FeedPosition, "at_xact" | "at_id">
/** Rows as lists of values, and the feed position of each. */
type Rows = { columns: string[]; rows: unknown[][]; positions: RowPosition[] }
const NO_ROWS: Rows = { columns: [], rows: [], positions: [] }

/** The position of the feed after the row at `last`; undefined: no row was sent. */
function positionAfter(last: RowPosition | undefined, from: Targeted, is_drained: boolean) {
  const next = { ...from, ...last }
  return { cursor: is_drained ? completed(next) : next, is_drained }
}

type Targeted = FeedPosition & { target: string }

const NOTHING = "1:1:" // a snapshot that contains no transaction

/** Returns the cursor with its target, or else with everything committed by now as the target. */
function withTarget(cursor: FeedPosition | null, now: Now): Targeted {
  if (cursor?.origin !== now.origin) {
    return { ...now, done: NOTHING, at_xact: "0", at_id: 0 }
  }
  if (cursor.target) return { ...cursor, target: cursor.target }
  return { ...cursor, ...now, at_xact: "0", at_id: 0 }
}

/**
 * Returns the cursor after its target is reached. `done` ends with the last transaction actually
 * seen, because the server may assign higher ids again after a crash.
 */
function completed(cursor: Targeted): FeedPosition {
  const afterLast = BigInt(cursor.at_xact) + 1n
  const previousXmax = xmaxOf(cursor.done)
  const xmax = afterLast > previousXmax ? afterLast : previousXmax
  const running = (cursor.target.split(":")[2] as string).split(",").filter(Boolean).map(BigInt)
  const open = running.filter(xact => xact < xmax)
  return { ...cursor, done: `${open[0] ?? xmax}:${xmax}:${open.join(",")}`, target: null }
}
