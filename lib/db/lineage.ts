import type { Database, Transaction } from "./database"

/**
 * Notes where this schema is: on which server, in which database, in which tables. If that differs
 * from what it says of itself, it was restored from a dump, and gets a new epoch, by which the
 * readers of its feeds recognize the change (lib/feeds/read-feed-rows.ts). A schema that was never
 * restored has none.
 */
export async function noteLineage(sql: Transaction, schema: string, role: string) {
  const [{ home }] = await sql<[{ home: string }]>`
    select concat_ws('/', system_identifier, pg_database.oid, ${`${schema}.migrations`}::regclass::oid)
      as home
    from pg_control_system(), pg_database
    where datname = current_database()
  `
  const [known] = await sql<[{ exists: boolean }]>`
    select to_regclass(${`${schema}.lineage`}) is not null as exists
  `
  if (!known.exists) {
    await sql`create table lineage (home text not null, epoch uuid)`
    await sql`insert into lineage (home) values (${home})`
    await sql.unsafe(`revoke insert, delete on lineage from ${role}`)
  }
  await sql`
    update lineage
    set
      home = ${home},
      epoch = gen_random_uuid()
    where home <> ${home}
  `
}

/** Gives the schema a new epoch. Its feeds are then read again from the beginning. */
export const renewEpoch = (sql: Database | Transaction) =>
  sql`update lineage set epoch = gen_random_uuid()`
