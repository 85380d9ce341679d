import type postgres from "postgres"

/**
 * Copies all tables of delivery. Returns what restores them, also while delivery works: it publishes
 * and claims nothing meanwhile.
 */
export async function saveDelivery(sql: postgres.Sql) {
  const tables = await sql<{ name: string }[]>`
    select relname as name
    from pg_class
    where relnamespace = 'delivery'::regnamespace
      and relkind = 'r'
      and relname not in ('migrations', 'clock_marks')
  `
  const names = tables.map(({ name }) => name)
  await sql`drop schema if exists saved cascade`
  await sql`create schema saved`
  await sql.begin("isolation level repeatable read", async sql => {
    for (const name of names) {
      await sql.unsafe(`create table saved.${name} as table delivery.${name}`)
    }
  })
  return () =>
    sql.begin(async sql => {
      await sql`set local session_replication_role = replica` // past references
      await sql`
        select
          pg_advisory_xact_lock(hashtext('delivery.claim')),
          pg_advisory_xact_lock(hashtext('delivery.publish'))
      `
      for (const name of names) {
        await sql.unsafe(`delete from delivery.${name}`)
        await sql.unsafe(`insert into delivery.${name} overriding system value table saved.${name}`)
      }
    })
}
