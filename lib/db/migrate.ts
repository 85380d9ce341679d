import { readdir } from "node:fs/promises"
import { join } from "node:path"
import { databaseUrl } from "../config"
import { log } from "../log"
import type { Transaction } from "./database"
import { ensureRole } from "./ensure-role"
import { noteLineage } from "./lineage"
import { type Identity, ownerUrl, roleOf, usePoolsAs } from "./login"
import { openOne, ownerDatabase } from "./pool"
import { restamp } from "./restamp"
import { oldestCompatibleOf, refuseUnfitSchema, refuseUnmigratedSchema } from "./schema-fitness"

/**
 * Migrates a schema as its owner, and creates the role that the service works as. Replicas that start
 * together wait for each other. A process that knows only the login of the role migrates nothing, and
 * throws if the schema is not up to date.
 * `:role` in a migration means that role. By default it may read and write every table; a migration
 * revokes what it must not do, such as changing the ledger. Throws if the schema is incompatible
 * with this code (schema-fitness.ts). Returns the identity with which the service then connects.
 */
export async function migrate(schema: string, folder: string): Promise<Identity> {
  const names = (await readdir(folder)).sort()
  const identity = ownerUrl(schema)
    ? await migrateAsOwner(schema, folder, names)
    : await checkAsLogin(schema, names)
  usePoolsAs(identity, schema)
  return identity
}

async function checkAsLogin(schema: string, names: string[]): Promise<Identity> {
  const sql = openOne(databaseUrl(schema), { search_path: schema })
  await sql`select 1`.catch(cause => Promise.reject(unreachable(schema, cause)))
  await refuseUnmigratedSchema(sql, schema, names)
  await refuseUnfitSchema(sql, schema, names)
  await sql.end()
  return "login"
}

async function migrateAsOwner(schema: string, folder: string, names: string[]): Promise<Identity> {
  const sql = ownerDatabase(schema)
  await sql`select 1`.catch(cause => Promise.reject(unreachable(schema, cause)))
  const inLock = <Result>(work: (sql: Transaction) => Promise<Result>) =>
    sql.begin(async sql => {
      await sql`select pg_advisory_xact_lock(hashtext('tributary'))` // roles are cluster-wide
      return work(sql)
    }) as Promise<Result>
  await inLock(sql => sql`create schema if not exists ${sql(schema)}`)
  const identity = await ensureRole(inLock, schema)
  if (identity !== "login") warn(identity, schema)
  const [{ owner }] = await sql<[{ owner: string }]>`select quote_ident(current_user) as owner`
  const role = identity === "owner" ? owner : roleOf(schema)
  await inLock(async sql => {
    await ensureMigrations(sql) // after the role, which gets the rights to new tables
    await noteLineage(sql, schema, role)
  })
  await refuseUnfitSchema(sql, schema, names)
  for (const name of names) {
    const text = (await Bun.file(join(folder, name)).text()).replaceAll(":role", () => role)
    await inLock(sql => apply(sql, name, text)) // one transaction each, to release locks early
      .catch(cause => Promise.reject(migrationFailed(schema, name, cause)))
  }
  await inLock(sql => restamp(sql, schema))
  await sql.end()
  return identity
}

function warn(identity: Identity, schema: string) {
  const how =
    identity === "owner"
      ? "The user of its database URL cannot create roles, or could not when the tables were made, so it works as the owner of its schema."
      : "It cannot connect with its own login, so it connects as the owner of its schema."
  log.warn(`${schema} runs with less separation than recommended. ${how} See docs/operations.md.`)
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
