import { Type } from "@sinclair/typebox"
import { Elysia } from "elysia"
import { call } from "../../../lib/bus/bus"
import { listPrograms, type Program } from "../../../services/identity/contract"
import {
  Performance,
  PerformanceQuery,
  showPerformance,
  showSummary,
} from "../../../services/reporting/contract"
import { authorizeProgram, managerOf, programIdsOf, workspaceOf } from "../../http/caller"
import { queryOf } from "../../http/query"
import { inWorkspace, manager, reads } from "../../openapi/description"
import { freshnessOf, REPORT_TIMEOUT_MS, ReportMeta } from "./reporting"

const PAGE_SIZE = 100

const Summary = Type.Object({
  programs: Type.Integer(), // how many
  currencies: showSummary.reply.properties.currencies,
})

/** What became of all programs of a workspace together (contract 5). */
export const dashboard = new Elysia().get(
  "/api/advertiser/dashboard/summary",
  async ({ request }) => {
    const caller = await managerOf(request)
    const workspace_id = await workspaceOf(request, caller, "dashboard:view")
    const query = queryOf(request, PerformanceQuery)

    const programs = await programsOf(workspace_id, programIdsOf(caller))
    const asked = { programs: programs.map(told), query }
    const summary = await call(showSummary, asked, REPORT_TIMEOUT_MS)
    const { currencies, meta, applied_until } = summary
    const data = { programs: programs.length, currencies }
    return { data, meta: { ...meta, ...freshnessOf(applied_until) } }
  },
  reads({
    id: "showSummary",
    summary: "Show what became of all programs of a workspace together",
    by: inWorkspace(manager("dashboard:view")),
    query: [PerformanceQuery],
    answers: { 200: Type.Object({ data: Summary, meta: ReportMeta }) },
  }),
)

/** The same of one. */
export const aggregates = new Elysia().get(
  "/:id/aggregates",
  async ({ request, params }) => {
    const program = await authorizeProgram(request, "dashboard:view", params.id)
    const query = queryOf(request, PerformanceQuery)

    const asked = { program, query }
    const { performance, applied_until } = await call(showPerformance, asked, REPORT_TIMEOUT_MS)
    const { metrics, meta } = performance
    return { data: metrics, meta: { ...meta, ...freshnessOf(applied_until) } }
  },
  reads({
    id: "showAggregates",
    summary: "Show what became of a program",
    by: manager("dashboard:view"),
    query: [PerformanceQuery],
    answers: { 200: Type.Object({ data: Performance.properties.metrics, meta: ReportMeta }) },
  }),
)

/** No more of them: thousands have to fit into one message. */
const told = ({ id, currency, created_at }: Program) => ({ id, currency, created_at })

/** All of a workspace, page by page: they come by id, so that none is skipped or comes twice. */
async function programsOf(workspace_id: number, program_ids: number[] | null) {
  const programs: Program[] = []
  for (let page = 1; ; page++) {
    const asked = { workspace_id, program_ids, page, pageSize: PAGE_SIZE }
    const { rows, total } = await call(listPrograms, asked)
    programs.push(...rows)
    if (programs.length >= total || rows.length === 0) return programs
  }
}
