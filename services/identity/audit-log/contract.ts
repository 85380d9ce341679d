import { type Static, Type } from "@sinclair/typebox"
import { operation } from "../../../lib/bus/operation"
import { Id, ListOf, Name, Nullable, Slice, Time } from "../../../lib/fields"
import { Day } from "../../../lib/range"
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

const QueryId = Type.String({ pattern: "^[1-9][0-9]{0,14}$", description: "a positive integer" })

/** What the audit log is narrowed to. Users and keys are numbered apart: `actor_kind` tells which. */
export const AuditLogQuery = Type.Object({
  actor_id: Type.Optional(QueryId),
  actor_kind: Type.Optional(ActorKind),
  action: Type.Optional(Name), // like program.update
  program_id: Type.Optional(QueryId),
  subject_type: Type.Optional(Name), // like partner
  subject_id: Type.Optional(QueryId),
  dateFrom: Day,
  dateTo: Day,
})

export type AuditLogQuery = Static<typeof AuditLogQuery>

/**
 * The changes in a workspace, newest first. `applied_until` null: every change confirmed before
 * this request is listed; otherwise later changes in tracking or commissions may be missing.
 * Faults: invalid (dateFrom or dateTo).
 */
export const listAuditEntries = operation("identity.audit_entry.list", {
  request: Type.Object({
    workspace_id: Id,
    query: Type.Optional(AuditLogQuery),
    slice: Slice,
  }),
  reply: Type.Composite([ListOf(AuditEntry), Type.Object({ applied_until: Nullable(Time) })]),
})

export const AuditCursor = Type.Object({ at: Time, id: Id })

export type AuditCursor = Static<typeof AuditCursor>

/** A part of the audit log for an export, after `after`. Faults: invalid (dateFrom or dateTo). */
export const exportAuditEntries = operation("identity.audit_entry.export", {
  request: Type.Object({ workspace_id: Id, query: AuditLogQuery, after: Nullable(AuditCursor) }),
  reply: Type.Object({
    rows: Type.Array(AuditEntry),
    next: Nullable(AuditCursor), // null: this is the last part
    applied_until: Nullable(Time),
  }),
})

/**
 * Records that the caller takes a list away as CSV. `program_id` null: of the workspace. Faults: none.
 */
export const recordExport = operation("identity.audit_entry.record_export", {
  request: Type.Object({ workspace_id: Id, program_id: Nullable(Id), list: Type.String() }),
  reply: Type.Object({}),
})
