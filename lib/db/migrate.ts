import { readdir } from "node:fs/promises"
import { join } from "node:path"
import { databaseUrl } from "../config"
import type { Transaction } from "./database"
import { noteLineage } from "./lineage"
import { ownerDatabase, roleOf } from "./pool"
import { restamp } from "./restamp"
import { oldestCompatibleOf, refuseUnfitSchema } from "./schema-fitness"

/**
 * Migrates a schema as its owner, the user of the database's URL, and creates the role that the
 * service works as. Replicas that start together wait for each other.
 * `:role` in a migration means that role. By default it may read and write every table; a migration
 * revokes what it must not do, such as changing the ledger. Throws if the schema is incompatible
 * with this code (schema-fitness.ts).
 */
export async function migrate(schema: string, folder: string) {
  const sql = ownerDatabase(schema)
  const role = roleOf(schema)

  await sql`select 1`.catch(cause => Promise.reject(unreachable(schema, cause)))
  const inLock = (work: (sql: Transaction) => Promise<unknown>) =>
    sql.begin(async sql => {
      await sql`select pg_advisory_xact_lock(hashtext('tributary'))` // roles are cluster-wide
      await work(sql)
    })
  await inLock(async sql => {
    await sql`create schema if not exists ${sql(schema)}`
    await ensureRole(sql, schema, role)
    await ensureMigrations(sql)
    await noteLineage(sql, schema, role)
  })
  const names = (await readdir(folder)).sort()
  await refuseUnfitSchema(sql, schema, names)
  for (const name of names) {
    const text = (await Bun.file(join(folder, name)).text()).replaceAll(":role", role)
    await inLock(sql => apply(sql, name, text)) // one transaction each, to release locks early
      .catch(cause => Promise.reject(migrationFailed(schema, name, cause)))
  }
  await inLock(sql => restamp(sql, schema))
  await sql.end()
}

/** Alters the table only if needed: a dump in progress would block it, and so every start. */
async function ensureMigrations(sql: Transaction) {
  await sql`create table if not exists migrations (name text primary key, oldest_compatible int)`
  const [hasColumn] = await sql`
    select 1
    from pg_attribute
    where attrelid = 'migrations'::regclass and attname = 'oldest_compatible'
  `
  if (!hasColumn) await sql`alter table migrations add column oldest_compatible int`
}

async function apply(sql: Transaction, name: string, text: string) {
  const [isApplied] = await sql`select 1 from migrations where name = ${name}`
  if (isApplied) return
  await sql`set local lock_timeout = '5s'` // a waiting lock request blocks all later ones
  await sql.unsafe(text)
  await sql`
    insert into migrations (name, oldest_compatible)
    values (${name}, ${oldestCompatibleOf(name, text)})
  `
}

function unreachable(schema: string, cause: Error): Error {
  const { host, pathname } = new URL(databaseUrl(schema))
  return new Error(`The database of ${schema}, ${host}${pathname}, is unusable: ${cause.message}`)
}

const migrationFailed = (schema: string, name: string, { message }: Error): Error =>
  new Error(`The migration ${name} of ${schema} failed and was rolled back: ${message}`)

async function ensureRole(sql: Transaction, schema: string, role: string) {
  const [exists] = await sql`select 1 from pg_roles where rolname = ${role}`
  if (!exists) await sql`create role ${sql(role)} nologin` // it may remain from a dropped database

  await sql.unsafe(`
    grant ${role} to current_user;
    grant usage on schema ${schema} to ${role};
    alter default privileges in schema ${schema}
      grant select, insert, update, delete on tables to ${role};
  `)
}
