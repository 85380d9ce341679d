import { type Static, Type } from "@sinclair/typebox"
import { operation } from "../../../lib/bus/operation"
import { Id, ListOf, Nullable, Page, Time, Title } from "../../../lib/fields"
import { Caller, ProgramIds, Scope } from "../access/contract"

const ProgramScope = Nullable(
  Type.Array(
    Type.Union([Type.String({ pattern: "^[1-9][0-9]{0,14}$" }), Id], {
      description: "a list of program ids, or null",
    }),
    { maxItems: 1_000, description: "a list of at most 1,000 program ids" },
  ),
)

const Scopes = Type.Array(Scope, { maxItems: 100, description: Scope.description })

/** The body of POST /api/advertiser/api-keys. */
export const NewKey = Type.Object({
  name: Title,
  scopes: Type.Optional(Scopes), // absent: ["*"]
  program_scope: Type.Optional(ProgramScope), // absent or null: every program
  expires_at: Type.Optional(
    Nullable(Type.String({ format: "instant", description: "a time like 2026-01-31T23:59:59Z" })),
  ),
})

/** The body of PUT …/:id: absent fields stay unchanged. */
export const KeyChanges = Type.Object({
  name: Type.Optional(Title),
  scopes: Type.Optional(Scopes),
  program_scope: Type.Optional(ProgramScope),
})

/** A key as the API shows it. After `expires_at` it is refused, but its status does not change. */
export const Key = Type.Object({
  id: Id,
  name: Type.String(),
  prefix: Type.String(),
  key_masked: Type.String(),
  scopes: Type.Array(Scope),
  program_scope: Nullable(Type.Array(Type.String())), // ids as strings (behaviour 2.12.1)
  expires_at: Nullable(Time),
  status: Type.Union([Type.Literal("active"), Type.Literal("revoked")]),
  created_at: Time,
  last_used_at: Nullable(Time), // to the minute
})

export type Key = Static<typeof Key>

/**
 * Creates a key of a workspace. It may do no more than its creator, and is shown only once.
 * Faults: forbidden, invalid (a program of another workspace, an expires_at in the past).
 */
export const createKey = operation("identity.key.create", {
  request: Type.Object({ user_id: Id, workspace_id: Id, key: NewKey }),
  reply: Type.Composite([Key, Type.Object({ key: Type.String() })]),
})

/** The keys of a workspace by id; with `program_ids` only those limited to these. Faults: none. */
export const listKeys = operation("identity.key.list", {
  request: Type.Object({ workspace_id: Id, program_ids: ProgramIds, page: Page }),
  reply: ListOf(Key),
})

/**
 * Checks that the caller may change a key. `key_id` null: the path does not contain a valid id.
 * Faults: forbidden (before it is known whether the key exists; also for a wider key), missing.
 */
export const permitKey = operation("identity.key.permit", {
  request: Type.Object({ caller: Caller, key_id: Nullable(Id) }),
  reply: Key,
})

/**
 * Changes a key, effective from the reply on. Faults: missing, forbidden (also to grant more
 * programs than the caller has), conflict (revoked or expired), invalid (a program of another
 * workspace).
 */
export const updateKey = operation("identity.key.update", {
  request: Type.Object({ caller: Caller, key_id: Id, changes: KeyChanges }),
  reply: Key,
})

/** Revokes a key: it is refused from the reply on. Safe to repeat. Faults: missing, forbidden. */
export const revokeKey = operation("identity.key.revoke", {
  request: Type.Object({ caller: Caller, key_id: Id }),
  reply: Key,
})
