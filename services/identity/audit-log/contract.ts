import { type Static, Type } from "@sinclair/typebox"
import { operation } from "../../../lib/bus/operation"
import { Id, ListOf, Nullable, Slice, Time } from "../../../lib/fields"
import { ActorKind } from "../../../lib/record-change"

/** A change that took effect. `details` are the changed fields with their values at that time. */
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
 * The changes in a workspace, newest first. `applied_until` null: every change confirmed before
 * this request is listed; otherwise later changes in tracking or commissions may be missing.
 * Faults: none.
 */
export const listAuditEntries = operation("identity.audit_entry.list", {
  request: Type.Object({ workspace_id: Id, slice: Slice }),
  reply: Type.Composite([ListOf(AuditEntry), Type.Object({ applied_until: Nullable(Time) })]),
})
