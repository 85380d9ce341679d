import postgres from "postgres"
import { config, databaseUrl } from "../config"
import { unanswered } from "../fault"
import { isLate } from "../request-context"
import type { Database, Work } from "./database"
import { throughPooler } from "./pooler"
import { traceStatements } from "./traced-statements"
import { watchPool } from "./watch-pool"

const POOL_SIZE = 8
const USUAL_PORT = 5_432
const RACE_TRIES = 5
const END_TIMEOUT_SECONDS = 2
const STATEMENT_TIMEOUT_MS = 10_000 // callers have gone long before: nothing may hang for ever

type PoolOptions = {
  pool: string
  address: string
  connections: number
  settings: Record<string, string> // of PostgreSQL
}

/**
 * Opens the pool of a service. Names without a schema mean its own, the only one it may see:
 * it works as a role that owns nothing and was granted no more than its migrations say.
 * Metrics know the pool by its name.
 */
export function database(schema: string, named: Partial<PoolOptions> = {}): Database {
  const { pool = schema, address = databaseUrl(schema), connections = POOL_SIZE } = named
  const sql = connect(address, connections, {
    search_path: schema,
    role: roleOf(schema),
    timezone: "UTC",
    jit: "off",
    statement_timeout: `${STATEMENT_TIMEOUT_MS}`,
    idle_in_transaction_session_timeout: `${STATEMENT_TIMEOUT_MS}`,
    ...named.settings,
  })
  traceStatements(sql)
  const begin = watchPool(pool, sql)
  return Object.assign(sql, { begin: (...args: BeginArgs) => begin(...inTime(args)) })
}

/** One connection as the user of the database's URL, who owns the schema. */
export const ownerDatabase = (schema: string): Database =>
  connect(databaseUrl(schema), 1, { search_path: schema, timezone: "UTC" })

/** A session keeps its settings; behind a pooler there are none, and each transaction has them. */
function connect(address: string, max: number, settings: Record<string, string>): Database {
  const options = { ...OPTIONS, ...socketOf(address), max }
  return config.prepared_statements
    ? postgres(address, { ...options, connection: settings })
    : throughPooler(postgres(address, options), settings)
}

/** The socket in the folder that a URL has as its host, as libpq has it: `…@%2Frun%2Fpostgresql/…`. */
function socketOf(address: string): { path?: string } {
  const { hostname, port } = new URL(address)
  const folder = decodeURIComponent(hostname)
  return folder.startsWith("/") ? { path: `${folder}/.s.PGSQL.${port || USUAL_PORT}` } : {}
}

type BeginArgs = [work: Work] | [options: string, work: Work]

/**
 * What waited for a connection until its caller had gone is not done: else a pool that was stuck
 * would work on the past for as long, while new callers wait and go in their turn.
 */
function inTime(args: BeginArgs): [string, Work] {
  const work = args.at(-1) as Work
  const unlessLate: Work = sql => {
    if (isLate()) throw unanswered()
    return work(sql)
  }
  return [args.length === 2 ? args[0] : "", unlessLate]
}

/** Opens every connection of a pool: the first callers of a new process shall not wait for them. */
export const warmPool = (sql: Database) =>
  Promise.all(Array.from({ length: sql.options.max }, () => sql`select 1`))

/** Closes a pool. A connection that was lost meanwhile must not hold the process back. */
export const closePool = (sql: Database): Promise<void> => sql.end({ timeout: END_TIMEOUT_SECONDS })

/**
 * Does a transaction again when it lost a race: to a deadlock, or to another that took the same
 * unique key meanwhile. The next try sees what the winner has written.
 */
export async function retryOnConflict<Result>(transaction: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await transaction()
    } catch (error) {
      const { code } = error as { code?: string }
      if (tries === RACE_TRIES || (code !== "40P01" && code !== "23505")) throw error
    }
  }
}

/** Roles belong to the whole cluster, so the database's name is part of theirs. */
export function roleOf(schema: string): string {
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
  booleans: array(1000),
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

/** What JSON need not escape both write alike, and JSON is written natively. */
function arrayLiteral(list: unknown): unknown {
  if (!Array.isArray(list)) return list
  const json = JSON.stringify(list)
  return `{${json.includes("\\") ? list.map(element).join() : json.slice(1, -1)}}`
}

function element(value: unknown): string {
  if (value === null || value === undefined) return "null"
  if (typeof value === "number") return `${value}`
  const text = String(value)
  return `"${SPECIAL.test(text) ? text.replace(/["\\]/g, "\\$&") : text}"`
}

const SPECIAL = /["\\]/
