import type postgres from "postgres"

const SEEDS_PER_TRUNCATE = 50

let cleared = 0

/**
 * Empties the services' tables and restarts their ids, so that a seed's history does not depend on
 * the seeds before it. Deleting is fast but leaves dead rows, so every 50th time it truncates.
 */
export async function clearTables(superuser: postgres.Sql) {
  const tables = await tablesOf(superuser)
  if (cleared++ % SEEDS_PER_TRUNCATE === 0) {
    await superuser.unsafe(`truncate ${tables.join()} restart identity`)
    return
  }
  await superuser.begin(async sql => {
    await sql`set local session_replication_role = replica` // skips foreign keys: any order will do
    await sql.unsafe(tables.map(table => `delete from ${table}`).join(";"))
    await sql`
      select setval(seqrelid::regclass, 1, false)
      from pg_sequence
      where seqrelid::regclass::text ~ '^(tracking|commissions)[.]'
    `
  })
}

async function tablesOf(superuser: postgres.Sql): Promise<string[]> {
  const tables = await superuser<{ name: string }[]>`
    select oid::regclass::text as name
    from pg_class
    where relnamespace in ('tracking'::regnamespace, 'commissions'::regnamespace)
      and relkind in ('r', 'p')
      and not relispartition
      and relname not in ('migrations', 'lineage')
  `
  return tables.map(table => table.name)
}
