import type { Action, Role, Scope } from "../contract"

/** What an active member may do (contract 2). */
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

/** The scope that a key needs for it (specification 5.4, contract 2). Null: no key may. */
const SCOPE_OF: Record<Action, Scope | null> = {
  "program:list": "program:list",
  "program:read": "program:read",
  "program:create": "program:create",
  "program:update": "program:update",
  "program:delete": "program:delete",
  "program:go_live": "program:go_live",
  "program:regenerate-token": "program:regenerate-token",
  "dashboard:view": "dashboard:view",
  "tracking:list": null,
  "tracking:read": null,
  "performance:read": null,
  "commission:read": "program:read",
  "commission:settle": "program:update",
  "api_key:manage": "*",
  "member:list": null,
  "member:manage": null,
  "audit_log:read": null,
}

export const isPermitted = (role: Role, action: Action): boolean => ROLES_OF[action].includes(role)

export function isInScope(scopes: Scope[], action: Action): boolean {
  const scope = SCOPE_OF[action]
  return scope !== null && (scopes.includes("*") || scopes.includes(scope))
}
