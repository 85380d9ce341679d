import { createHmac } from "node:crypto"
import { config, databaseUrl } from "../config"
import { text } from "../environment"
import type { Database } from "./database"

/** How a service works in its database: connected as its role, as the owner in its role, or as the owner. */
export type Identity = "login" | "role" | "owner"

type Pool = { sql: Database; settings: Record<string, string> }
const pools = new Map<string, Pool[]>()
const identities = new Map<string, Identity>()

/** The name of a service's role. It contains the database's, as roles belong to the cluster. */
export function roleOf(schema: string): string {
  const name = new URL(databaseUrl(schema)).pathname.slice(1) || "postgres"
  return `${name.toLowerCase().replace(/[^a-z0-9_]/g, "_")}_${schema}`
}

/**
 * The URL of the owner of a schema, who migrates it: the service's own URL, or DATABASE_URL where the
 * service's own is that of its role. Null: this process knows the login of the service only.
 */
export function ownerUrl(schema: string): string | null {
  return isLogin(schema) ? text("DATABASE_URL") : databaseUrl(schema)
}

/**
 * The URL with which a service connects as its role. Its password follows from the owner's, so that
 * replicas agree on it. Null: the owner has no password, or a pooler knows only the owner.
 */
export function loginUrl(schema: string): string | null {
  const address = databaseUrl(schema)
  if (isLogin(schema)) return address
  const url = new URL(address)
  if (!url.password || !config.prepared_statements) return null
  url.password = passwordOf(schema, url)
  url.username = roleOf(schema)
  return url.href
}

/** Remembers a pool of a service, which has not connected yet. */
export function registerPool(schema: string, sql: Database, settings: Record<string, string>) {
  const pool = { sql, settings }
  pools.set(schema, [...(pools.get(schema) ?? []), pool])
  const identity = identities.get(schema)
  if (identity) usePoolAs(identity, schema, pool)
}

/** Sets the identity with which the pools of a service connect from now on. Default: the owner in the role. */
export function usePoolsAs(identity: Identity, schema: string) {
  identities.set(schema, identity)
  for (const pool of pools.get(schema) ?? []) usePoolAs(identity, schema, pool)
}

function usePoolAs(identity: Identity, schema: string, { sql, settings }: Pool) {
  const options = sql.options as unknown as Options
  if (identity === "login" && !isLogin(schema)) {
    options.connection.user = roleOf(schema)
    options.pass = passwordOf(schema, new URL(databaseUrl(schema)))
  }
  if (identity === "owner") {
    delete options.connection.role
    delete settings.role
  }
}

/** What the driver reads whenever it opens a connection. */
type Options = { connection: Record<string, string>; pass: string }

const isLogin = (schema: string) =>
  decodeURIComponent(new URL(databaseUrl(schema)).username) === roleOf(schema)

const passwordOf = (schema: string, { password }: URL) =>
  createHmac("sha256", decodeURIComponent(password)).update(roleOf(schema)).digest("hex")
