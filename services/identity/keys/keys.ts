import type { Database, Transaction } from "../../../lib/db/database"
import { Fault } from "../../../lib/fault"
import { findAccess, findAccesses, isAllowed } from "../access/workspace-access"
import type { Caller, Key, Role, Scope } from "../contract"
import { sql } from "../db"

/** The columns of a key that the API shows. */
export const keyColumns = sql`
  id,
  name,
  left(key_masked, 13) as prefix,
  key_masked,
  to_jsonb(scopes) as scopes,
  to_jsonb(program_scope::text[]) as program_scope,
  expires_at,
  status,
  created_at,
  last_used_at
`

type UsedKey = {
  key_id: number
  workspace_id: number
  role: Role
  scopes: Scope[]
  program_ids: number[] | null
}

/**
 * Finds a valid key. Its role is the lower of what it was given and what its creator has now, or
 * had when they were suspended: below an owner each role may do less. Its last use is stored at most
 * once a minute, so that reads stay reads.
 */
export async function useKey(key_hash: string) {
  const [key] = await sql<[UsedKey?]>`
    with key as (
      select
        id,
        key.workspace_id,
        case when creator.role = 'owner' then key.role else coalesce(creator.role, key.role) end
          as role,
        scopes,
        program_scope,
        last_used_at
      from api_keys as key
      left join memberships as creator
        on (creator.workspace_id, creator.user_id) = (key.workspace_id, key.created_by)
      where key_hash = ${key_hash}
        and key.status = 'active'
        and (expires_at is null or expires_at > now())
    ),
    used as (
      update api_keys
      set last_used_at = now()
      from key
      where api_keys.id = key.id
        and (key.last_used_at is null or key.last_used_at < now() - interval '1 minute')
    )
    select
      id as key_id,
      workspace_id,
      role,
      to_jsonb(scopes) as scopes,
      to_jsonb(program_scope) as program_ids
    from key
  `
  return key
}

/** A key, with what the API does not show. */
type OwnedKey = { key: Key; workspace_id: number; has_ended: boolean; role: Role }

/**
 * Locks a key that the caller may change until the transaction ends. `role` is the caller's.
 * Throws "missing", and "forbidden", also if the key has more programs than the caller's.
 */
export async function lockKey(
  sql: Database | Transaction,
  caller: Caller,
  key_id: number,
): Promise<OwnedKey> {
  const [found] = await sql<[(Key & { workspace_id: number; has_ended: boolean })?]>`
    select
      ${keyColumns},
      workspace_id,
      status = 'revoked' or coalesce(expires_at <= now(), false) as has_ended
    from api_keys
    where id = ${key_id}
    for update
  `
  const access = found ? await findAccess(caller, found.workspace_id, sql) : null
  if (!found || access?.status !== "active") throw await keyNotFound(sql, caller)
  const { workspace_id, has_ended, ...key } = found
  if (!isAllowed(access, "api_key:manage") || exceedsCaller(caller, key.program_scope)) {
    throw mayNotManage()
  }
  return { key, workspace_id, has_ended, role: access.role }
}

/**
 * The refusal of a key that does not exist or is in a workspace of others: only callers who manage
 * keys somewhere, or who are in no workspace, learn that it is missing (behaviour 1.2).
 */
export async function keyNotFound(sql: Database | Transaction, caller: Caller): Promise<Fault> {
  const accesses = await findAccesses(caller, sql)
  const mayManage = accesses.some(access => isAllowed(access, "api_key:manage"))
  if (accesses.length > 0 && !mayManage) return mayNotManage()
  return new Fault("missing", "Management API key not found.")
}

const mayNotManage = () =>
  new Fault("forbidden", "You are not allowed to manage this Management API key.")

/** The programs of a key as they are stored. Throws "invalid" for one of another workspace. */
export async function checkProgramScope(
  sql: Database | Transaction,
  program_scope: (string | number)[] | null | undefined,
  workspace_id: number,
): Promise<number[] | null> {
  if (!program_scope) return null
  const ids = [...new Set(program_scope.map(Number))]
  const [{ known }] = await sql<[{ known: number }]>`
    select count(*) as known
    from programs
    where id = any (${ids}::bigint[]) and workspace_id = ${workspace_id} and version > 0
  `
  if (known === ids.length) return ids
  throw new Fault("invalid", "program_scope contains a program that is not in this workspace.")
}

/** Whether the caller has fewer programs: a key may neither grant nor manage more than its own. */
export function exceedsCaller(caller: Caller, program_scope: (string | number)[] | null): boolean {
  if (caller.kind === "session" || caller.program_ids === null) return false
  const own = new Set(caller.program_ids)
  return program_scope === null || program_scope.some(id => !own.has(Number(id)))
}
