import type { Action, Caller } from "./contract"
import { sql } from "./db"
import { isPermitted, type Role } from "./permissions"

/** How a caller stands in a workspace. null: it is none of theirs. */
export type Standing = { role: Role; status: "active" | "suspended" } | null

/** One indexed query each time: a suspended member is refused by the very next request. */
export async function standingOf(caller: Caller, workspace_id: number): Promise<Standing> {
  if (caller.kind === "key") return null // no key has been given out that could stand anywhere

  const [membership] = await sql<[NonNullable<Standing>?]>`
    select role, status
    from memberships
    where (workspace_id, user_id) = (${workspace_id}, ${caller.user_id})
  `
  return membership ?? null
}

export const may = (standing: Standing, action: Action): boolean =>
  standing?.status === "active" && isPermitted(standing.role, action)
