import { type Static, type TSchema, Type } from "@sinclair/typebox"
import type postgres from "postgres"
import { type Database, database, type Fragment } from "./db"
import { Nullable } from "./fields"

const ROWS_MAX_BYTES = 768 * 1024 // in one message; NATS refuses 1 MiB
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

const Snapshot = Type.String({ description: "a pg_snapshot as text" })

/** How far a feed has been read. Its reader keeps it as it came and hands it back. */
export const Cursor = Type.Object({
  origin: Type.String(), // whose transaction ids these are: another server's mean nothing here
  done: Snapshot, // what was read to its end
  target: Nullable(Snapshot), // what is being read to now; null: the last target is reached
  as_of: Type.String(), // when the target, or the last one reached, was taken
  at_xact: Type.String(), // the last row that was handed out on the way to the target
  at_id: Type.Integer(),
})
export type Cursor = Static<typeof Cursor>

/** What a service answers when it is asked for more of a feed. A null cursor starts it. */
export const FeedRequest = Type.Object({
  cursor: Nullable(Cursor),
  limit: Type.Integer({ minimum: 1, maximum: 5_000 }),
})

/** Rows, how far they reach, and whether that is all there was. */
export const FeedReply = <Row extends TSchema>(row: Row) =>
  Type.Object({ rows: Type.Array(row), cursor: Cursor, is_drained: Type.Boolean() })

/**
 * The rows that have become visible since a cursor, in the order of their transactions.
 *
 * `source` names a table and the columns to tell; its rows carry in `final_xact` the transaction
 * that made them final (null: not yet, or never). Reading "all above the last id" would lose rows
 * whose transaction committed late; reading below the oldest running transaction would stall
 * behind any long one. So the cursor remembers the highest transaction read, and which of those
 * below it were still running.
 */
export async function readFeed<Row>(
  sql: Database,
  source: { columns: Fragment; table: string },
  { cursor, limit }: Static<typeof FeedRequest>,
) {
  const from = await aim(sql, cursor)
  const selected = sql`
    select ${source.columns}, id as at_id, final_xact as at_xact
    from ${sql(source.table)}
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
  `
  const rows = rowsThatFit<postgres.Row>(found)
  const last = rows.at(-1)
  const at = last ? { at_xact: last.at_xact as string, at_id: last.at_id as number } : {}
  const is_drained = found.length < limit && rows.length === found.length
  const next = { ...from, ...at }
  return {
    rows: rows.map(({ at_xact, at_id, ...row }) => row as Row), // its columns say so
    cursor: is_drained ? reached(next) : next,
    is_drained,
  }
}

/** The cursor with a target: the one it has, or all that is committed by now. */
async function aim(sql: Database, cursor: Cursor | null): Promise<Cursor & { target: string }> {
  const [now] = await sql<[{ origin: string; target: string; as_of: string }]>`
    select
      system_identifier || '/' || timeline_id as origin,
      pg_current_snapshot()::text as target,
      now() as as_of
    from pg_control_system(), pg_control_checkpoint()
  `
  if (cursor?.origin !== now.origin) {
    return { ...now, done: "1:1:", at_xact: "0", at_id: 0 } // nothing is read yet
  }
  if (cursor.target) return { ...cursor, target: cursor.target }
  return { ...cursor, ...now, at_xact: "0", at_id: 0 }
}

/**
 * The target is reached. What counts as done ends with the last transaction that was really
 * seen: ids above it may, after a crash of the server, be given out once more.
 */
function reached(cursor: Cursor & { target: string }): Cursor {
  const seen = BigInt(cursor.at_xact) + 1n
  const before = BigInt(cursor.done.split(":")[1] as string)
  const xmax = seen > before ? seen : before
  const running = (cursor.target.split(":")[2] as string).split(",").filter(Boolean).map(BigInt)
  const open = running.filter(xact => xact < xmax)
  return { ...cursor, done: `${open[0] ?? xmax}:${xmax}:${open.join(",")}`, target: null }
}

/** The first of these rows, as many as one message holds, and at least one. */
export function rowsThatFit<Row>(found: Row[]): Row[] {
  if (Buffer.byteLength(JSON.stringify(found)) <= ROWS_MAX_BYTES) return found

  let bytes = 0
  const end = found.findIndex(row => {
    bytes += Buffer.byteLength(JSON.stringify(row)) + 1
    return bytes > ROWS_MAX_BYTES
  })
  return end === -1 ? found : found.slice(0, Math.max(end, 1))
}
