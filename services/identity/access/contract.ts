import { type Static, Type } from "@sinclair/typebox"
import { Id, Nullable } from "../../../lib/fields"

const Session = Type.Object({ kind: Type.Literal("session"), session_id: Id, user_id: Id })

export const Role = Type.Union(
  [Type.Literal("owner"), Type.Literal("admin"), Type.Literal("analyst"), Type.Literal("billing")],
  { description: "owner, admin, analyst or billing" },
)

export type Role = Static<typeof Role>

const SCOPE = `one of *, program:list, program:read, program:create, program:update, \
program:delete, program:go_live, program:regenerate-token, dashboard:view or webhook:manage`

/** What a Management API key may be given (behaviour 2.12.3). */
export const Scope = Type.Union(
  [
    Type.Literal("*"),
    Type.Literal("program:list"),
    Type.Literal("program:read"),
    Type.Literal("program:create"),
    Type.Literal("program:update"),
    Type.Literal("program:delete"),
    Type.Literal("program:go_live"),
    Type.Literal("program:regenerate-token"),
    Type.Literal("dashboard:view"),
    Type.Literal("webhook:manage"),
  ],
  { description: `a list in which each scope is ${SCOPE}` },
)

export type Scope = Static<typeof Scope>

/** The programs that a key is limited to. Null: every program of the workspace. */
export const ProgramIds = Nullable(Type.Array(Id))

/** The caller that a valid credential identifies. */
export const Caller = Type.Union([
  Session,
  Type.Object({
    kind: Type.Literal("key"),
    key_id: Id,
    workspace_id: Id,
    role: Role, // of the member who granted the scopes: it limits the key
    scopes: Type.Array(Scope),
    program_ids: ProgramIds,
  }),
])

export type Caller = Static<typeof Caller>

export type Session = Static<typeof Session>

/** What a caller may do to a program or a workspace (behaviour 2.11.1). */
export const Action = Type.Union([
  Type.Literal("program:list"),
  Type.Literal("program:read"),
  Type.Literal("program:create"),
  Type.Literal("program:update"),
  Type.Literal("program:delete"),
  Type.Literal("program:go_live"),
  Type.Literal("program:regenerate-token"),
  Type.Literal("dashboard:view"),
  Type.Literal("tracking:list"), // the events; sessions only
  Type.Literal("tracking:read"), // the integration status; sessions only
  Type.Literal("performance:read"), // any active member; sessions only
  Type.Literal("commission:read"),
  Type.Literal("commission:settle"), // approve, reject, mark as paid
  Type.Literal("api_key:manage"),
  Type.Literal("webhook:manage"),
  Type.Literal("member:list"), // sessions only
  Type.Literal("member:manage"), // invite, change and remove; sessions only
  Type.Literal("workspace:update"), // sessions only
  Type.Literal("audit_log:read"), // sessions only
])

export type Action = Static<typeof Action>

/** What an active member may do (behaviour 2.11). */
export const ROLES_OF: Record<Action, Role[]> = {
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
  "webhook:manage": ["owner", "admin"],
  "member:list": ["owner", "admin", "analyst"],
  "member:manage": ["owner", "admin"],
  "workspace:update": ["owner", "admin"],
  "audit_log:read": ["owner", "admin"],
}

/** The scope a key needs for an action (behaviour 2.12.3). Null: sessions only. */
export const SCOPE_OF: Record<Action, Scope | null> = {
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
  "webhook:manage": "webhook:manage",
  "member:list": null,
  "member:manage": null,
  "workspace:update": null,
  "audit_log:read": null,
}

/** What identifies a caller: the SHA-256 of a session's token or of a key. */
export const Credential = Type.Object({
  kind: Type.Union([Type.Literal("session"), Type.Literal("key")]),
  token_hash: Type.String(),
})

export type Credential = Static<typeof Credential>
