import type { Api } from "../gateway/routes/routes"
import type { Action, Role } from "../services/identity/contract"

declare global {
  /** The method and path of each operation: "GET /api/auth/session". The build inserts it. */
  const OPERATIONS: Record<keyof Api, string>
  /** The roles that may perform each action. The build inserts it. */
  const ROLES: Record<Action, Role[]>
  /** The decimals of each currency that does not have two. The build inserts it. */
  const EXPONENTS: Record<string, number>
}

export const operations = OPERATIONS
export const roles = ROLES
export const exponents = EXPONENTS
