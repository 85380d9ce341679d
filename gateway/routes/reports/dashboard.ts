import { Type } from "@sinclair/typebox"
import { call } from "../../../lib/bus/bus"
import { listPrograms, type Program } from "../../../services/identity/contract"
import {
  Performance,
  PerformanceQuery,
  showPerformance,
  showSummary,
} from "../../../services/reporting/contract"
import { program, workspace } from "../../http/access"
import { programIdsOf } from "../../http/caller"
import { route } from "../../http/route"
import { freshnessOf, REPORT_TIMEOUT_MS, ReportMeta } from "../../views/report-view"

const PAGE_SIZE = 100

const Summary = Type.Object({
  programs: Type.Integer(), // how many
  currencies: showSummary.reply.properties.currencies,
})

/** The metrics of one program, and of all programs of a workspace together (behaviour 7.6). */
export const dashboard = [
  route(
    {
      id: "showSummary",
      method: "GET",
      path: "/api/advertiser/dashboard/summary",
      summary: "Show the metrics of all programs of a workspace together",
      access: workspace("dashboard:view"),
      isReport: true,
      query: [PerformanceQuery],
      answers: { 200: Type.Object({ data: Summary, meta: ReportMeta }) },
    },
    async ({ caller, workspace_id, query }) => {
      const programs = await programsOf(workspace_id, programIdsOf(caller))
      const request = { programs: programs.map(reported), query }
      const summary = await call(showSummary, request, REPORT_TIMEOUT_MS)
      const { currencies, meta, applied_until } = summary
      const data = { programs: programs.length, currencies }
      return { data, meta: { ...meta, ...freshnessOf(applied_until) } }
    },
  ),
  route(
    {
      id: "showAggregates",
      method: "GET",
      path: "/api/advertiser/affiliate-programs/:id/aggregates",
      summary: "Show the metrics of a program",
      access: program("dashboard:view"),
      isReport: true,
      query: [PerformanceQuery],
      answers: { 200: Type.Object({ data: Performance.properties.metrics, meta: ReportMeta }) },
    },
    async ({ program, query }) => {
      const reply = await call(showPerformance, { program, query }, REPORT_TIMEOUT_MS)
      const { metrics, meta } = reply.performance
      return { data: metrics, meta: { ...meta, ...freshnessOf(reply.applied_until) } }
    },
  ),
]

/** Only what reporting needs: thousands of programs must fit into one message. */
const reported = ({ id, currency, created_at }: Program) => ({ id, currency, created_at })

/** Reads all programs of a workspace, page by page in the order of their ids. */
async function programsOf(workspace_id: number, program_ids: number[] | null) {
  const programs: Program[] = []
  for (let page = 1; ; page++) {
    const request = { workspace_id, program_ids, page, pageSize: PAGE_SIZE }
    const { rows, total } = await call(listPrograms, request)
    programs.push(...rows)
    if (programs.length >= total || rows.length === 0) return programs
  }
}
