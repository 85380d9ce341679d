import { Type } from "@sinclair/typebox"
import { call } from "../../../lib/bus/bus"
import { Id, Nullable, Page } from "../../../lib/fields"
import {
  type AuditCursor,
  AuditEntry,
  AuditLogQuery,
  exportAuditEntries,
  listAuditEntries,
} from "../../../services/identity/contract"
import { workspaceOfPath } from "../../http/access"
import { Format, prefersCsv } from "../../http/csv"
import { streamCsv } from "../../http/export"
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

const COLUMNS = Object.keys(AuditEntry.properties)

const LOG_TIMEOUT_MS = 3_000 // of which catching up takes up to 1 s

/** Who changed what in a workspace, newest first. Sessions only (behaviour 2.14). */
export const auditLog = [
  route(
    {
      id: "listAuditEntries",
      method: "GET",
      path: "/api/workspaces/:id/audit-log",
      summary: "List who changed what in a workspace, newest first",
      description:
        "Also who signed in or out, or failed to, and who exported data. With `Accept: text/csv`, or `format=csv`, the whole selection is streamed and the page is ignored.",
      access: workspaceOfPath("audit_log:read"),
      query: [AuditLogQuery, Format, Page],
      texts: ["text/csv"],
      answers: { 200: Listed(AuditEntryView, Freshness) },
    },
    async ({ request, workspace_id, query: { format, ...query }, page }) => {
      if (prefersCsv(request, { format })) {
        const exported = { workspace_id, program_id: null, list: "audit-log" }
        return streamCsv(request, exported, COLUMNS, async (after: AuditCursor | null) => {
          const of = { workspace_id, query, after }
          const { rows, ...part } = await call(exportAuditEntries, of, LOG_TIMEOUT_MS)
          return { ...part, rows: rows.map(flat) }
        })
      }
      const { rows, total, applied_until } = await wholePage(page, slice =>
        call(listAuditEntries, { workspace_id, query, slice }, LOG_TIMEOUT_MS),
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

/** In CSV, the details are one field that holds JSON. */
const flat = ({ details, ...entry }: AuditEntry) => ({ ...entry, details: JSON.stringify(details) })
