import type { Transaction } from "./db"

/**
 * Gives the rows of feeds that name transactions to come the one under way: a dump of another
 * server brought them along, whose transactions had higher ids. No reader would see them until this
 * server has come as far, and then others with the same ids in between. Readers notice the other
 * server by themselves (lib/feed.ts), and begin anew.
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
    await sql`
      update ${sql(name)}
      set final_xact = pg_current_xact_id()
      where final_xact >= pg_snapshot_xmax(pg_current_snapshot())
    `
  }
}
