import type { Database } from "../db/database"
import { renewEpoch } from "../db/lineage"
import { log } from "../log"
import type { FeedPosition } from "./feed"

/** `origin` names the server, as in a FeedPosition; `target` is a snapshot of it. */
export type Now = { origin: string; target: string; as_of: string }

type Position = { table: string; done: string }

/**
 * Returns a new target, and whether each table may have rows beyond what is done. A reader that has
 * read transactions which this server has not begun knows a later state of it: the folder of the
 * server was replaced by an older copy. It then gets a new origin.
 */
export async function checkFeeds(
  sql: Database,
  tables: Position[],
  cursors: (FeedPosition | null | undefined)[],
) {
  const now = await selectNow(sql, tables)
  const isAhead = (cursor: FeedPosition | null | undefined) =>
    cursor?.origin === now.origin && xmaxOf(cursor.done) > xmaxOf(now.target)
  if (!cursors.some(isAhead)) return now

  await renewEpoch(sql)
  log.error("This database is older than what was read from it: its feeds are read again.")
  return selectNow(sql, tables)
}

/** The first transaction that a snapshot does not include. */
export const xmaxOf = (snapshot: string) => BigInt(snapshot.split(":")[1] as string)

/**
 * Most tables have no news, and checking all of them at once is faster than reading one.
 * The origin contains the timeline, taken from the name of the WAL file: the timeline of the last
 * checkpoint may be older than the promotion of a standby. It ends with the epoch, if there is one.
 */
async function selectNow(sql: Database, tables: Position[]) {
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
      concat_ws(
        '/', system_identifier, ('x' || left(wal_file, 8))::bit(32)::int, (select epoch from lineage)
      ) as origin,
      pg_current_snapshot()::text as target,
      now() as as_of,
      ${news} as news
    from pg_control_system(), pg_walfile_name(pg_current_wal_lsn()) as wal_file
  `
  return now
}
