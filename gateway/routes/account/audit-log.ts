import { Type } from "@sinclair/typebox"
import { Elysia } from "elysia"
import { call } from "../../../lib/bus/bus"
import { Id, Nullable, Page } from "../../../lib/fields"
import { AuditEntry, listAuditEntries, permitWorkspace } from "../../../services/identity/contract"
import { sessionOf } from "../../http/caller"
import { Listed, listOf, wholePage } from "../../http/list"
import { pageOf, pathId } from "../../http/query"
import { PERMITTED, reads } from "../../openapi/description"
import { Freshness, freshnessOf } from "../reports/reporting"

const { id, at, action, program_id, details, request_id } = AuditEntry.properties
const AuditEntryView = Type.Object({
  id,
  at,
  actor: Type.Object({
    kind: AuditEntry.properties.actor_kind,
    id: Nullable(Id),
    name: Nullable(Type.String()),
    address: Nullable(Type.String()),
  }),
  action,
  subject: Type.Object({ type: Type.String(), id: Id }),
  program_id,
  details,
  request_id,
})

const LOG_TIMEOUT_MS = 3_000 // up to 1 s of it to catch up

/** Who has changed what in a workspace, newest first. Sessions only. */
export const auditLog = new Elysia().get(
  "/api/workspaces/:id/audit-log",
  async ({ request, params }) => {
    const caller = await sessionOf(request)
    const { workspace_id } = await call(permitWorkspace, {
      caller,
      action: "audit_log:read",
      workspace_id: pathId(params.id),
      conceals: true,
    })
    const page = pageOf(request)
    const { rows, total, applied_until } = await wholePage(page, slice =>
      call(listAuditEntries, { workspace_id, slice }, LOG_TIMEOUT_MS),
    )
    const { data, meta } = listOf(rows.map(view), total, page)
    return { data, meta: { ...meta, ...freshnessOf(applied_until) } }
  },
  reads({
    id: "listAuditEntries",
    summary: "List who has changed what in a workspace, newest first",
    by: PERMITTED,
    query: [Page],
    answers: { 200: Listed(AuditEntryView, Freshness) },
  }),
)

function view({ id, at, action, program_id, details, request_id, ...entry }: AuditEntry) {
  const { actor_kind, actor_id, actor_name, actor_address, subject_type, subject_id } = entry
  const actor = { kind: actor_kind, id: actor_id, name: actor_name, address: actor_address }
  const subject = { type: subject_type, id: subject_id }
  return { id, at, actor, action, subject, program_id, details, request_id }
}
