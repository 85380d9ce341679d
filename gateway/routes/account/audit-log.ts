import { Type } from "@sinclair/typebox"
import { call } from "../../../lib/bus/bus"
import { Id, Nullable, Page } from "../../../lib/fields"
import { AuditEntry, listAuditEntries } from "../../../services/identity/contract"
import { workspaceOfPath } from "../../http/access"
import { Listed, listOf, wholePage } from "../../http/list"
import { route } from "../../http/route"
import { Freshness, freshnessOf } from "../../views/report-view"

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

const LOG_TIMEOUT_MS = 3_000 // of which catching up takes up to 1 s

/** Who changed what in a workspace, newest first. Sessions only (behaviour 2.14). */
export const auditLog = [
  route(
    {
      id: "listAuditEntries",
      method: "GET",
      path: "/api/workspaces/:id/audit-log",
      summary: "List who changed what in a workspace, newest first",
      access: workspaceOfPath("audit_log:read"),
      query: [Page],
      answers: { 200: Listed(AuditEntryView, Freshness) },
    },
    async ({ workspace_id, page }) => {
      const { rows, total, applied_until } = await wholePage(page, slice =>
        call(listAuditEntries, { workspace_id, slice }, LOG_TIMEOUT_MS),
      )
      const { data, meta } = listOf(rows.map(view), total, page)
      return { data, meta: { ...meta, ...freshnessOf(applied_until) } }
    },
  ),
]

function view({ id, at, action, program_id, details, request_id, ...entry }: AuditEntry) {
  const { actor_kind, actor_id, actor_name, actor_address, subject_type, subject_id } = entry
  const actor = { kind: actor_kind, id: actor_id, name: actor_name, address: actor_address }
  const subject = { type: subject_type, id: subject_id }
  return { id, at, actor, action, subject, program_id, details, request_id }
}
