import { type Action, type Role, SCOPE_OF, type Scope } from "../contract"

/** What an active member may do (behaviour 2.11). */
const ROLES_OF: Record<Action, Role[]> = {
  "program:list": ["owner", "admin", "analyst", "billing"],
  "program:read": ["owner", "admin", "analyst", "billing"],
  "program:create": ["owner", "admin"],
  "program:update": ["owner", "admin"],
  "program:delete": ["owner"],
  "program:go_live": ["owner", "admin"],
  "program:regenerate-token": ["owner", "admin"],
  "dashboard:view": ["owner", "admin", "analyst", "billing"],
  "tracking:list": ["owner", "admin", "analyst"],
  "tracking:read": ["owner", "admin", "analyst"],
  "performance:read": ["owner", "admin", "analyst", "billing"],
  "commission:read": ["owner", "admin", "analyst", "billing"],
  "commission:settle": ["owner", "admin", "billing"],
  "api_key:manage": ["owner", "admin"],
  "member:list": ["owner", "admin", "analyst"],
  "member:manage": ["owner", "admin"],
  "audit_log:read": ["owner", "admin"],
}

export const isPermitted = (role: Role, action: Action): boolean => ROLES_OF[action].includes(role)

export function isInScope(scopes: Scope[], action: Action): boolean {
  const scope = SCOPE_OF[action]
  return scope !== null && (scopes.includes("*") || scopes.includes(scope))
}
