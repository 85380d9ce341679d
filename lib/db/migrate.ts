import { readdir } from "node:fs/promises"
import { join } from "node:path"
import { databaseUrl } from "../config"
import type { Transaction } from "./database"
import { ownerDatabase, roleOf } from "./pool"
import { restamp } from "./restamp"
import { oldestCompatibleOf, refuseUnfitSchema } from "./schema-fitness"

/**
 * Brings a schema up to date as the user of the database's URL, who owns it, and makes the role
 * that the service works as. Replicas that start together queue.
 * A migration writes `:role` where it means that role. By default the role may read and write
 * every table; what it may not do (change the ledger) its migration revokes. Throws a sentence
 * where the schema is not fit for this code (schema-fitness.ts).
 */
export async function migrate(schema: string, folder: string) {
  const sql = ownerDatabase(schema)
  const role = roleOf(schema)

  await sql`select 1`.catch(cause => Promise.reject(unreachable(schema, cause)))
  const inTurn = (work: (sql: Transaction) => Promise<unknown>) =>
    sql.begin(async sql => {
      await sql`select pg_advisory_xact_lock(hashtext('tributary'))` // roles are the cluster's
      await work(sql)
    })
  await inTurn(async sql => {
    await sql`create schema if not exists ${sql(schema)}`
    await ensureRole(sql, schema, role)
    await ensureMigrations(sql)
  })
  const names = (await readdir(folder)).sort()
  await refuseUnfitSchema(sql, schema, names)
  for (const name of names) {
    const text = (await Bun.file(join(folder, name)).text()).replaceAll(":role", role)
    await inTurn(sql => apply(sql, name, text)) // each by itself: its locks are soon given back
      .catch(cause => Promise.reject(unmigrated(schema, name, cause)))
  }
  await inTurn(sql => restamp(sql, schema))
  await sql.end()
}

/** Altered only where it must be: a dump under way would hold that back, and every start with it. */
async function ensureMigrations(sql: Transaction) {
  await sql`create table if not exists migrations (name text primary key, oldest_compatible int)`
  const [known] = await sql`
    select 1
    from pg_attribute
    where attrelid = 'migrations'::regclass and attname = 'oldest_compatible'
  `
  if (!known) await sql`alter table migrations add column oldest_compatible int`
}

async function apply(sql: Transaction, name: string, text: string) {
  const [seen] = await sql`select 1 from migrations where name = ${name}`
  if (seen) return
  await sql`set local lock_timeout = '5s'` // a lock that is waited for holds back all who come after
  await sql.unsafe(text)
  await sql`
    insert into migrations (name, oldest_compatible)
    values (${name}, ${oldestCompatibleOf(name, text)})
  `
}

function unreachable(schema: string, cause: Error): Error {
  const { host, pathname } = new URL(databaseUrl(schema))
  return new Error(
    `The database of ${schema}, ${host}${pathname}, cannot be used: ${cause.message}`,
  )
}

const unmigrated = (schema: string, name: string, { message }: Error): Error =>
  new Error(`The migration ${name} of ${schema} failed, and nothing of it was kept: ${message}`)

async function ensureRole(sql: Transaction, schema: string, role: string) {
  const [known] = await sql`select 1 from pg_roles where rolname = ${role}`
  if (!known) await sql`create role ${sql(role)} nologin` // it outlives a database

  await sql.unsafe(`
    grant ${role} to current_user;
    grant usage on schema ${schema} to ${role};
    alter default privileges in schema ${schema}
      grant select, insert, update, delete on tables to ${role};
  `)
}
