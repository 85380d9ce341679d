import { fitInto, ROWS_MAX_BYTES } from "../bus/rows-that-fit"
import type { Database, Fragment } from "../db/database"
import { database } from "../db/pool"
import { type FeedPosition, rowOf } from "./feed"

const CONNECTIONS = 4

/**
 * The pool that a service reads its feeds with: by their index, and by a plan that is made once. Of
 * a table that has grown since it was last analyzed, or never was, the planner knows too little: it
 * would read and sort all of it for each part. And planning over many partitions takes longer than
 * reading a few rows.
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
 * More of each of these feeds, as a contract's `feedsOf` asks for it: all that fits in one message,
 * the first ones first.
 */
export async function readFeedRows<Reply extends { [name: string]: FeedPart | undefined }>(
  sql: Database,
  tables: Record<keyof Reply & string, Table>,
  { cursors, limit, takes_lists = false }: FeedsRequest<keyof Reply & string>,
): Promise<Reply> {
  const names = (Object.keys(tables) as (keyof Reply & string)[]).filter(name => name in cursors)
  const looked = names.map(name => ({ ...tables[name], done: cursors[name]?.done ?? NOTHING }))
  const { news, ...now } = await lookAt(sql, looked)
  const found = await Promise.all(
    names.map(async (name, i) => {
      const from = aimed(cursors[name] ?? null, now)
      const isRead = news[i] || cursors[name]?.origin !== now.origin // whose ids mean nothing here
      return { from, ...(isRead ? await readFeed(sql, tables[name], from, limit) : NO_ROWS) }
    }),
  )
  let room = ROWS_MAX_BYTES
  const told = found.map(({ from, columns, rows, places }) => {
    const fitting = fitInto<unknown>(
      room,
      takes_lists ? rows : rows.map(row => rowOf(columns, row)),
    )
    room -= fitting.bytes
    const isAll = rows.length < limit && fitting.rows.length === rows.length
    return {
      ...(takes_lists && { columns }),
      rows: fitting.rows,
      ...movedTo(places[fitting.rows.length - 1], from, isAll),
    }
  })
  return Object.fromEntries(names.map((name, i) => [name, told[i]])) as Reply // its tables say so
}

/**
 * The rows that have become visible since a cursor, in the order of their transactions.
 *
 * A table's rows carry in `final_xact` the transaction that made them final (null: not yet, or
 * never). Reading "all above the last id" would lose rows whose transaction committed late; reading
 * below the oldest running transaction would stall behind any long one. So the cursor remembers the
 * highest transaction read, and which of those below it were still running.
 */
async function readFeed(
  sql: Database,
  { columns, table }: Table,
  from: Aimed,
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
          and final_xact < pg_snapshot_xmax(${from.target}::pg_snapshot) -- reads no further
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
    places: found.map(([at_xact, at_id]) => ({ at_xact, at_id })),
  }
}

type Place = Pick<FeedPosition, "at_xact" | "at_id">
/** Lists of what the columns name, and where each of them stands in the feed. */
type Rows = { columns: string[]; rows: unknown[][]; places: Place[] }
const NO_ROWS: Rows = { columns: [], rows: [], places: [] }

/** How far rows reach that end at this place. */
function movedTo(place: Place | undefined, from: Aimed, is_drained: boolean) {
  const next = { ...from, ...place }
  return { cursor: is_drained ? reached(next) : next, is_drained }
}

type Now = { origin: string; target: string; as_of: string }
type Aimed = FeedPosition & { target: string }

const NOTHING = "1:1:" // is read yet

/**
 * What a target that is taken now sees, and of each table whether it may see rows that were not
 * done before: most have none, and to ask all of them here takes less than to read one.
 * The timeline is part of the origin, and stands in the name of the log file: that of the last
 * checkpoint may be of before a standby was promoted.
 */
async function lookAt(sql: Database, tables: { table: string; done: string }[]) {
  const news = tables.reduce(
    (others, { table, done }) => sql`
      ${others} || to_jsonb(exists (
        select
        from ${sql(table)}
        where final_xact >= pg_snapshot_xmin(${done}::pg_snapshot)
      ))
    `,
    sql`'[]'::jsonb`,
  )
  const [now] = await sql<[Now & { news: boolean[] }]>`
    select
      system_identifier || '/' || ('x' || left(wal_file, 8))::bit(32)::int as origin,
      pg_current_snapshot()::text as target,
      now() as as_of,
      ${news} as news
    from pg_control_system(), pg_walfile_name(pg_current_wal_lsn()) as wal_file
  `
  return now
}

/** The cursor with a target: the one it has, or all that is committed by now. */
function aimed(cursor: FeedPosition | null, now: Now): Aimed {
  if (cursor?.origin !== now.origin) {
    return { ...now, done: NOTHING, at_xact: "0", at_id: 0 }
  }
  if (cursor.target) return { ...cursor, target: cursor.target }
  return { ...cursor, ...now, at_xact: "0", at_id: 0 }
}

/**
 * The target is reached. What counts as done ends with the last transaction that was really
 * seen: ids above it may, after a crash of the server, be given out once more.
 */
function reached(cursor: Aimed): FeedPosition {
  const seen = BigInt(cursor.at_xact) + 1n
  const before = BigInt(cursor.done.split(":")[1] as string)
  const xmax = seen > before ? seen : before
  const running = (cursor.target.split(":")[2] as string).split(",").filter(Boolean).map(BigInt)
  const open = running.filter(xact => xact < xmax)
  return { ...cursor, done: `${open[0] ?? xmax}:${xmax}:${open.join(",")}`, target: null }
}
