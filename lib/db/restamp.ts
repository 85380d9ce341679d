import type { Transaction } from "./database"

/**
 * Gives rows of feeds that name a transaction of the future the one under way. A restored dump
 * brings such rows: its old server had counted further. No reader would see them until this one had
 * counted as far, and by then others would have the same ids. Readers find out by themselves that
 * the server is another one (lib/feeds/read-feed-rows.ts), and begin anew.
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
  await sql`set local enable_seqscan = off` // where there are none, as nearly always, it is quick
  for (const { name } of tables) {
    const isAhead = sql`final_xact >= pg_snapshot_xmax(pg_current_snapshot())`
    // Looked for first: an update locks the table, and waits for whoever else has, even for none.
    const [{ is_any }] = await sql<[{ is_any: boolean }]>`
      select exists (select from ${sql(name)} where ${isAhead}) as is_any
    `
    if (is_any)
      await sql`update ${sql(name)} set final_xact = pg_current_xact_id() where ${isAhead}`
  }
}
