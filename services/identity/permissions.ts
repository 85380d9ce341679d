import type { Action } from "./contract"

export type Role = "owner" | "admin" | "analyst" | "billing"

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
}

export const isPermitted = (role: Role, action: Action): boolean => ROLES_OF[action].includes(role)
