import { createHash, createHmac, pbkdf2Sync, randomBytes } from "node:crypto"
import type { Database, Transaction } from "./database"
import { type Identity, loginUrl, roleOf } from "./login"
import { openOne, ownerDatabase } from "./pool"

const DENIED = "42501" // insufficient_privilege
const ITERATIONS = 4_096 // as PostgreSQL's own

type InLock = <Result>(work: (sql: Transaction) => Promise<Result>) => Promise<Result>

/**
 * Creates the role of a service, with the right to use its schema and a login, as far as the owner
 * may. Returns who the service is to be: the owner, if the user may create no role, or could not when
 * the tables were made, and the owner in the role where the login does not work, as behind a pooler
 * that knows only the owner.
 */
export async function ensureRole(inLock: InLock, schema: string): Promise<Identity> {
  const role = roleOf(schema)
  if (!(await inLock(sql => hasRole(sql, role)))) return "owner"
  if (!(await inLock(sql => canReadTables(sql, schema, role)))) return "owner"
  await inLock(sql => grantSchema(sql, schema, role))

  const login = loginUrl(schema)
  if (!login) return "role"
  if (await connects(login)) return "login"
  await allowed(() => inLock(sql => enableLogin(sql, role, new URL(login))))
  return (await connects(login)) ? "login" : "role"
}

/** Returns how an operator's command works in a schema that Tributary has migrated. */
export async function findIdentity(schema: string): Promise<Identity> {
  const sql = ownerDatabase(schema)
  try {
    const [found] = await sql`
      select 1
      from pg_roles
      where rolname = ${roleOf(schema)} and pg_has_role(current_user, oid, 'member')
    `
    return found && (await canReadTables(sql, schema, roleOf(schema))) ? "role" : "owner"
  } finally {
    await sql.end()
  }
}

/** Creates the role if it is missing. False: the user may not, and is not a member of it. */
async function hasRole(sql: Transaction, role: string): Promise<boolean> {
  const [exists] = await sql`select 1 from pg_roles where rolname = ${role}`
  const isReady = exists || (await allowed(() => sql.savepoint(sql => createRole(sql, role))))
  if (!isReady) return false
  await allowed(() => sql.savepoint(sql => sql`grant ${sql(role)} to current_user`))
  const [{ is_member }] = await sql<[{ is_member: boolean }]>`
    select pg_has_role(current_user, ${role}, 'member') as is_member
  `
  return is_member
}

const createRole = (sql: Transaction, role: string) => sql`create role ${sql(role)} nologin`

/**
 * Whether a role may read all tables of a schema. Tables that were made before the role exist without
 * its rights, which later migrations do not add. `migrations` may be older than any role.
 */
async function canReadTables(sql: Database | Transaction, schema: string, role: string) {
  const [denied] = await sql`
    select 1
    from pg_class
    where relnamespace = ${schema}::regnamespace
      and relkind in ('r', 'p')
      and not relispartition
      and relname <> 'migrations'
      and not has_table_privilege(${role}, oid, 'select')
    limit 1
  `
  return !denied
}

async function grantSchema(sql: Transaction, schema: string, role: string) {
  await sql.unsafe(`
    grant usage on schema ${schema} to ${role};
    alter default privileges in schema ${schema}
      grant select, insert, update, delete on tables to ${role};
  `)
}

/** The password travels and is logged as a verifier only. */
async function enableLogin(sql: Transaction, role: string, { password }: URL) {
  const verifier = verifierOf(decodeURIComponent(password))
  await sql.unsafe(`alter role ${role} login password '${verifier}'`)
}

/** A SCRAM-SHA-256 verifier (RFC 5803), as PostgreSQL stores it. */
function verifierOf(password: string): string {
  const salt = randomBytes(16)
  const salted = pbkdf2Sync(password, salt, ITERATIONS, 32, "sha256")
  const keyOf = (name: string) => createHmac("sha256", salted).update(name).digest()
  const stored = createHash("sha256").update(keyOf("Client Key")).digest("base64")
  const server = keyOf("Server Key").toString("base64")
  return `SCRAM-SHA-256$${ITERATIONS}:${salt.toString("base64")}$${stored}:${server}`
}

async function connects(login: string): Promise<boolean> {
  const sql = openOne(login)
  try {
    await sql`select 1`
    return true
  } catch {
    return false
  } finally {
    await sql.end({ timeout: 1 })
  }
}

/** Runs a statement that may be denied. False: the user lacks the right. */
async function allowed(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    if ((error as { code?: string }).code === DENIED) return false
    throw error
  }
}
