import { Elysia } from "elysia"
import { call } from "../lib/bus"
import { type AuditEntry, listAuditEntries, permitWorkspace } from "../services/identity/contract"
import { sessionOf } from "./caller"
import { listOf, wholePage } from "./list"
import { pageOf, pathId } from "./query"
import { reach } from "./reporting"

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
    return { data, meta: { ...meta, ...reach(applied_until) } }
  },
)

function view({ id, at, action, program_id, details, request_id, ...entry }: AuditEntry) {
  const { actor_kind, actor_id, actor_name, actor_address, subject_type, subject_id } = entry
  const actor = { kind: actor_kind, id: actor_id, name: actor_name, address: actor_address }
  const subject = { type: subject_type, id: subject_id }
  return { id, at, actor, action, subject, program_id, details, request_id }
}
