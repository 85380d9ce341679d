import postgres from "postgres"
import { config, databaseUrl } from "../config"
import { unavailable } from "../fault"
import { isPastDeadline } from "../request-context"
import { postgresTls, withoutTlsParameters } from "../tls"
import type { Database, Work } from "./database"
import { ownerUrl, registerPool, roleOf } from "./login"
import { throughPooler } from "./pooler"
import { traceStatements } from "./traced-statements"
import { watchPool } from "./watch-pool"

const POOL_SIZE = 8
const DEFAULT_PORT = 5_432
const CONFLICT_TRIES = 5
const END_TIMEOUT_SECONDS = 2
const STATEMENT_TIMEOUT_MS = 10_000 // callers give up earlier; nothing may hang forever

type PoolOptions = {
  pool: string
  address: string
  connections: number
  settings: Record<string, string> // PostgreSQL settings of each session
}

/**
 * Opens a pool for a service. Unqualified names mean its own schema, the only one it may read: it
 * works as a role that owns nothing and has only the rights that its migrations grant. Once the
 * service has migrated, it connects with the login of that role (login.ts).
 * `pool` is the pool's name in metrics.
 */
export function database(schema: string, options: Partial<PoolOptions> = {}): Database {
  const { pool = schema, address = databaseUrl(schema), connections = POOL_SIZE } = options
  const settings: Record<string, string> = {
    search_path: schema,
    role: roleOf(schema),
    timezone: "UTC",
    jit: "off",
    statement_timeout: `${STATEMENT_TIMEOUT_MS}`,
    idle_in_transaction_session_timeout: `${STATEMENT_TIMEOUT_MS}`,
    ...options.settings,
  }
  const sql = connect(address, connections, settings)
  registerPool(schema, sql, settings)
  traceStatements(sql)
  const begin = watchPool(pool, sql)
  return Object.assign(sql, { begin: (...args: BeginArgs) => begin(...unlessExpired(args)) })
}

/** Opens one connection as the owner of the schema. */
export const ownerDatabase = (schema: string): Database =>
  openOne(ownerUrl(schema) ?? databaseUrl(schema), { search_path: schema, timezone: "UTC" })

/** Opens one connection. */
export const openOne = (address: string, settings: Record<string, string> = {}): Database =>
  connect(address, 1, settings)

/** Applies settings to each session, or behind a pooler, which shares them, to each transaction. */
function connect(address: string, max: number, settings: Record<string, string>): Database {
  const options = { ...OPTIONS, ...wayTo(new URL(address)), max }
  const url = withoutTlsParameters(address)
  return config.prepared_statements
    ? postgres(url, { ...options, connection: settings })
    : throughPooler(postgres(url, options), settings)
}

/** A Unix socket, or TCP with the TLS that the URL demands. */
function wayTo(url: URL) {
  const path = socketOf(url)
  return path ? { path } : { ssl: postgresTls(url) }
}

/** The Unix socket, if the URL's host is a folder: `…@%2Frun%2Fpostgresql/…`, as in libpq. */
function socketOf({ hostname, port }: URL): string | null {
  const folder = decodeURIComponent(hostname)
  return folder.startsWith("/") ? `${folder}/.s.PGSQL.${port || DEFAULT_PORT}` : null
}

type BeginArgs = [work: Work] | [options: string, work: Work]

/**
 * Skips work that got its connection after its deadline. Otherwise a pool that was stuck would
 * process expired requests first, while new ones wait and expire as well.
 */
function unlessExpired(args: BeginArgs): [string, Work] {
  const work = args.at(-1) as Work
  const guarded: Work = sql => {
    if (isPastDeadline()) throw unavailable()
    return work(sql)
  }
  return [args.length === 2 ? args[0] : "", guarded]
}

/** Opens every connection of a pool, so that the first callers do not wait for it. */
export const warmPool = (sql: Database) =>
  Promise.all(Array.from({ length: sql.options.max }, () => sql`select 1`))

/** Closes a pool. The timeout keeps a lost connection from delaying the process. */
export const closePool = (sql: Database): Promise<void> => sql.end({ timeout: END_TIMEOUT_SECONDS })

/**
 * Retries a transaction that lost a conflict: a deadlock, a unique key that another transaction
 * took meanwhile, or a partition that it made. The next attempt sees what that one wrote.
 */
export async function retryOnConflict<Result>(transaction: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await transaction()
    } catch (error) {
      if (tries === CONFLICT_TRIES || !isConflict(error as DatabaseError)) throw error
    }
  }
}

type DatabaseError = { code?: string; constraint_name?: string }

const isConflict = ({ code, constraint_name }: DatabaseError) =>
  code === "40P01" || code === "23505" || (code === "23514" && !constraint_name) // no check: a partition's bounds

const text = { serialize: (value: unknown) => value }

/** The type of an array parameter. Write `${list}::text[]`: the driver learns the type from it. */
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
  fetch_types: false, // its query is not awaited: a lost connection would end the process
  prepare: config.prepared_statements,
  connect_timeout: 2, // seconds, like backoff; after a lost connection the defaults stall for 20 s
  backoff: () => 0.1,
  onnotice: () => {}, // migrate() expects "already exists, skipping"
} satisfies postgres.Options<Record<string, postgres.PostgresType>>

function isoTime(text: string): string {
  return new Date(text).toISOString()
}

/** JSON differs from an array literal only in its escapes. Without any, the native JSON is used. */
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
