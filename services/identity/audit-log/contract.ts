import { type Static, Type } from "@sinclair/typebox"
import { operation } from "../../../lib/bus/operation"
import { Id, ListOf, Nullable, Slice, Time } from "../../../lib/fields"
import { ActorKind } from "../../../lib/record-change"

/** A change that came about. `details` are the fields that changed, as they were then. */
export const AuditEntry = Type.Object({
  id: Id,
  at: Time,
  actor_kind: ActorKind,
  actor_id: Nullable(Id), // of the user or the key
  actor_name: Nullable(Type.String()), // as it is now
  actor_address: Nullable(Type.String()), // truncated
  action: Type.String(),
  subject_type: Type.String(),
  subject_id: Id,
  program_id: Nullable(Id),
  details: Type.Unknown(),
  request_id: Type.String(),
})

export type AuditEntry = Static<typeof AuditEntry>

/**
 * Who has changed what in a workspace, newest first: all that was answered before this was asked,
 * while `applied_until` is null; else what tracking or commissions wrote later may be missing.
 * Faults: none.
 */
export const listAuditEntries = operation("identity.audit_entry.list", {
  request: Type.Object({ workspace_id: Id, slice: Slice }),
  reply: Type.Composite([ListOf(AuditEntry), Type.Object({ applied_until: Nullable(Time) })]),
})
