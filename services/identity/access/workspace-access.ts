import type { Database, Transaction } from "../../../lib/db/database"
import type { Action, Caller, Role, Scope } from "../contract"
import { sql as pool } from "../db"
import { isInScope, isPermitted } from "./permissions"

/** How a caller stands in a workspace. null: it is none of theirs. */
export type Standing = {
  role: Role
  status: "active" | "suspended"
  scopes: Scope[] | null // null: a person, whom no scope limits
} | null

/** One indexed query each time: a suspended member is refused by the very next request. */
export async function standingOf(
  caller: Caller,
  workspace_id: number,
  sql: Database | Transaction = pool,
): Promise<Standing> {
  if (caller.kind === "key") {
    const { role, scopes } = caller // as findCaller has just read them
    return caller.workspace_id === workspace_id ? { role, status: "active", scopes } : null
  }
  return memberStanding(sql, workspace_id, caller.user_id)
}

/** How a person stands there. */
export async function memberStanding(
  sql: Database | Transaction,
  workspace_id: number,
  user_id: number,
): Promise<Standing> {
  const [membership] = await sql<[Pick<NonNullable<Standing>, "role" | "status">?]>`
    select role, status
    from memberships
    where (workspace_id, user_id) = (${workspace_id}, ${user_id})
  `
  return membership ? { ...membership, scopes: null } : null
}

export function may(standing: Standing, action: Action): boolean {
  if (standing?.status !== "active" || !isPermitted(standing.role, action)) return false
  return standing.scopes === null || isInScope(standing.scopes, action)
}
