import { type Action, ROLES_OF, type Role, SCOPE_OF, type Scope } from "../contract"

export const isPermitted = (role: Role, action: Action): boolean => ROLES_OF[action].includes(role)

export function isInScope(scopes: Scope[], action: Action): boolean {
  const scope = SCOPE_OF[action]
  return scope !== null && (scopes.includes("*") || scopes.includes(scope))
}
