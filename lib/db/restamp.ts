import type { Transaction } from "./database"

/**
 * Replaces transaction ids of feed rows that lie in the future by the current one. A restored dump
 * has such rows if its old server had counted further. Readers would not see them until this server
 * had counted as far, and by then other rows would have the same ids. Readers themselves notice the
 * change of server (lib/feeds/read-feed-rows.ts) and start from the beginning.
 */
export async function restamp(sql: Transaction, schema: string) {
  const tables = await sql<{ name: string }[]>`
    select relname as name
    from pg_attribute
    join pg_class on pg_class.oid = attrelid
    where attname = 'final_xact'
      and relnamespace = ${schema}::regnamespace
      and relkind in ('r', 'p')
      and not relispartition
  `
  await sql`set local enable_seqscan = off` // finding no such row, the usual case, is fast
  for (const { name } of tables) {
    const isAhead = sql`final_xact >= pg_snapshot_xmax(pg_current_snapshot())`
    // Checked first: an update would wait for locks on the table even if it matches no row.
    const [{ has_any }] = await sql<[{ has_any: boolean }]>`
      select exists (select from ${sql(name)} where ${isAhead}) as has_any
    `
    if (has_any)
      await sql`update ${sql(name)} set final_xact = pg_current_xact_id() where ${isAhead}`
  }
}
