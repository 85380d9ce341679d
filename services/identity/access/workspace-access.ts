import type { Database, Transaction } from "../../../lib/db/database"
import type { Action, Caller, Role, Scope } from "../contract"
import { sql as pool } from "../db"
import { isInScope, isPermitted } from "./permissions"

/** What a caller may do in a workspace. null: the caller does not belong to it. */
export type WorkspaceAccess = {
  role: Role
  status: "active" | "suspended"
  scopes: Scope[] | null // null: a person, who has no scopes
} | null

/** Queries the database each time, so that a suspended member is refused from the next request. */
export async function findAccess(
  caller: Caller,
  workspace_id: number,
  sql: Database | Transaction = pool,
): Promise<WorkspaceAccess> {
  if (caller.kind === "key") {
    const { role, scopes } = caller // as findCaller has just read them
    return caller.workspace_id === workspace_id ? { role, status: "active", scopes } : null
  }
  return findMemberAccess(sql, workspace_id, caller.user_id)
}

/** What a caller may do in each workspace that it is active in. */
export async function findAccesses(
  caller: Caller,
  sql: Database | Transaction = pool,
): Promise<WorkspaceAccess[]> {
  if (caller.kind === "key") return [await findAccess(caller, caller.workspace_id, sql)]
  const memberships = await sql<{ role: Role }[]>`
    select role
    from memberships
    where user_id = ${caller.user_id} and status = 'active'
  `
  return memberships.map(({ role }) => ({ role, status: "active", scopes: null }))
}

/** What a person may do in a workspace. */
export async function findMemberAccess(
  sql: Database | Transaction,
  workspace_id: number,
  user_id: number,
): Promise<WorkspaceAccess> {
  const [membership] = await sql<[Pick<NonNullable<WorkspaceAccess>, "role" | "status">?]>`
    select role, status
    from memberships
    where (workspace_id, user_id) = (${workspace_id}, ${user_id})
  `
  return membership ? { ...membership, scopes: null } : null
}

export function isAllowed(access: WorkspaceAccess, action: Action): boolean {
  if (access?.status !== "active" || !isPermitted(access.role, action)) return false
  return access.scopes === null || isInScope(access.scopes, action)
}
