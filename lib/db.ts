import { readdir } from "node:fs/promises"
import { join } from "node:path"
import postgres from "postgres"
import { config, databaseUrl } from "./config"
import { isLate } from "./errand"
import { unanswered } from "./fault"
import { watchPool } from "./pool"
import { oldestCompatibleOf, refuseUnfitSchema } from "./schema-fitness"
import { traceStatements } from "./traced-statements"

export type Database = postgres.Sql<{ bigint: number; timestamptz: string; date: string }>
export type Transaction = postgres.TransactionSql<{
  bigint: number
  timestamptz: string
  date: string
}>
/** A piece of SQL that is made here and put into another. */
export type Fragment = postgres.PendingQuery<postgres.Row[]>

const POOL_SIZE = 8
const RACE_TRIES = 5
const END_TIMEOUT_SECONDS = 2
const STATEMENT_TIMEOUT_MS = 10_000 // callers have gone long before: nothing may hang for ever

type Pool = { pool: string; connections: number; settings: Record<string, string> }

/**
 * Opens the pool of a service. Names without a schema mean its own, the only one it may see:
 * it works as a role that owns nothing and was granted no more than its migrations say.
 * Metrics know the pool by its name.
 */
export function database(schema: string, named: Partial<Pool> = {}): Database {
  const { pool = schema, connections = POOL_SIZE, settings = {} } = named
  const sql = postgres(databaseUrl(schema), {
    ...OPTIONS,
    max: connections,
    connection: {
      search_path: schema,
      role: roleOf(schema),
      timezone: "UTC",
      jit: "off",
      statement_timeout: STATEMENT_TIMEOUT_MS,
      idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS,
      ...settings, // of PostgreSQL
    },
  })
  traceStatements(sql)
  const begin = watchPool(pool, sql)
  return Object.assign(sql, { begin: (...args: Begin) => begin(...inTime(args)) })
}

export type Work = (sql: Transaction) => any // any: whatever a transaction answers
type Begin = [work: Work] | [options: string, work: Work]

/**
 * What waited for a connection until its caller had gone is not done: else a pool that was stuck
 * would work on the past for as long, while new callers wait and go in their turn.
 */
function inTime(args: Begin): [string, Work] {
  const work = args.at(-1) as Work
  const unlessLate: Work = sql => {
    if (isLate()) throw unanswered()
    return work(sql)
  }
  return [args.length === 2 ? args[0] : "", unlessLate]
}

/**
 * Brings a schema up to date as the user of the database's URL, who owns it, and makes the role
 * that the service works as. Replicas that start together queue.
 * A migration writes `:role` where it means that role. By default the role may read and write
 * every table; what it may not do (change the ledger) its migration revokes. Throws a sentence
 * where the schema is not fit for this code (schema-fitness.ts).
 */
export async function migrate(schema: string, folder: string) {
  const sql = postgres(databaseUrl(schema), {
    ...OPTIONS,
    max: 1,
    connection: { search_path: schema, timezone: "UTC" },
  })
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
    await sql`create table if not exists migrations (name text primary key)`
    await sql`alter table migrations add column if not exists oldest_compatible int`
  })
  const names = (await readdir(folder)).sort()
  await refuseUnfitSchema(sql, schema, names)
  for (const name of names) {
    const text = (await Bun.file(join(folder, name)).text()).replaceAll(":role", role)
    await inTurn(sql => apply(sql, name, text)) // each by itself: its locks are soon given back
      .catch(cause => Promise.reject(unmigrated(schema, name, cause)))
  }
  await sql.end()
}

async function apply(sql: Transaction, name: string, text: string) {
  const [seen] = await sql`select 1 from migrations where name = ${name}`
  if (seen) return
  await sql.unsafe(text)
  await sql`
    insert into migrations (name, oldest_compatible)
    values (${name}, ${oldestCompatibleOf(name, text)})
  `
}

/** Opens every connection of a pool: the first callers of a new process shall not wait for them. */
export const warm = (sql: Database) =>
  Promise.all(Array.from({ length: sql.options.max }, () => sql`select 1`))

/** Closes a pool. A connection that was lost meanwhile must not hold the process back. */
export const letGo = (sql: Database): Promise<void> => sql.end({ timeout: END_TIMEOUT_SECONDS })

/**
 * Does a transaction again when it lost a race: to a deadlock, or to another that took the same
 * unique key meanwhile. The next try sees what the winner has written.
 */
export async function raced<Result>(transaction: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await transaction()
    } catch (error) {
      const { code } = error as { code?: string }
      if (tries === RACE_TRIES || (code !== "40P01" && code !== "23505")) throw error
    }
  }
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

/** Roles belong to the whole cluster, so the database's name is part of theirs. */
function roleOf(schema: string): string {
  const name = new URL(databaseUrl(schema)).pathname.slice(1) || "postgres"
  return `${name.toLowerCase().replace(/[^a-z0-9_]/g, "_")}_${schema}`
}

const text = { serialize: (value: unknown) => value }

/** A list is passed as `${list}::text[]`, with its type: nothing else tells it to the driver. */
const array = (oid: number) => ({ to: oid, from: [], parse: String, serialize: arrayLiteral })
const ARRAYS = {
  texts: array(1009),
  bigints: array(1016),
  integers: array(1007),
  dates: array(1182),
  times: array(1185),
}

const OPTIONS = {
  types: {
    bigint: { to: 20, from: [20], parse: Number, serialize: String }, // all below 2^53
    timestamptz: { to: 1184, from: [1184], parse: isoTime, ...text },
    date: { to: 1082, from: [1082], parse: (day: string) => day, ...text },
    ...ARRAYS,
  },
  fetch_types: false, // nobody awaits its query: a connection cut meanwhile ends the process
  prepare: config.prepared_statements,
  connect_timeout: 2, // seconds, as is backoff; after cuts the defaults stall for 20 and more
  backoff: () => 0.1,
  onnotice: () => {}, // "already exists, skipping" is what migrate() hopes for
} satisfies postgres.Options<Record<string, postgres.PostgresType>>

function isoTime(text: string): string {
  return new Date(text).toISOString()
}

function arrayLiteral(list: unknown): unknown {
  return Array.isArray(list) ? `{${list.map(element).join()}}` : list
}

function element(value: unknown): string {
  if (value === null) return "null"
  const text = String(value)
  return `"${SPECIAL.test(text) ? text.replace(/["\\]/g, "\\$&") : text}"`
}

const SPECIAL = /["\\]/
