import { Type } from "@sinclair/typebox"
import { call } from "../../../lib/bus/bus"
import { Page } from "../../../lib/fields"
import {
  PartnerBreakdownQuery,
  PerformanceQuery,
  showPartnerBreakdown,
  showPartnerPerformance,
} from "../../../services/reporting/contract"
import { Listed, listOf, wholePage } from "../../http/list"
import { AsPartner, type PartnerInProgram, partnerInProgram } from "../../http/partner-access"
import { route } from "../../http/route"
import {
  PartnerBreakdownRow,
  PartnerMetrics,
  PartnerPerformance,
  PartnerReportMeta,
  partnerBreakdownRow,
  partnerPerformanceView,
} from "../../views/partner-report-view"
import { Freshness, freshnessOf, REPORT_TIMEOUT_MS } from "../../views/report-view"

/** A partner's part of the numbers of a program (behaviour 17.10.6). */
export const partnerReports = [
  route(
    {
      id: "showOwnSummary",
      method: "GET",
      path: "/api/partner/programs/:programId/summary",
      summary: "Show the metrics of a partner in a program",
      access: partnerInProgram,
      isReport: true,
      query: [PerformanceQuery, AsPartner],
      answers: { 200: Type.Object({ data: PartnerMetrics, meta: PartnerReportMeta }) },
    },
    async ({ program, joined, query }) => {
      const { metrics, meta } = await performanceOf({ program, joined }, query)
      return { data: metrics, meta }
    },
  ),
  route(
    {
      id: "showOwnPerformance",
      method: "GET",
      path: "/api/partner/programs/:programId/performance",
      summary: "Show the metrics of each day of a partner in a program, and their trends",
      access: partnerInProgram,
      isReport: true,
      query: [PerformanceQuery, AsPartner],
      answers: { 200: PartnerPerformance },
    },
    ({ program, joined, query }) => performanceOf({ program, joined }, query),
  ),
  route(
    {
      id: "showOwnBreakdown",
      method: "GET",
      path: "/api/partner/programs/:programId/breakdown",
      summary: "Show the metrics of each link, sub id, country or device of a partner",
      access: partnerInProgram,
      isReport: true,
      query: [PartnerBreakdownQuery, AsPartner, Page],
      answers: {
        200: Listed(PartnerBreakdownRow, {
          ...showPartnerBreakdown.reply.properties.meta.properties,
          ...Freshness,
        }),
      },
    },
    async ({ program, joined: { partner_id }, query, page }) => {
      const shown = await wholePage(page, slice =>
        call(showPartnerBreakdown, { program, partner_id, query, slice }, REPORT_TIMEOUT_MS),
      )
      const { data, meta } = listOf(shown.rows.map(partnerBreakdownRow), shown.total, page)
      return { data, meta: { ...shown.meta, ...meta, ...freshnessOf(shown.applied_until) } }
    },
  ),
]

async function performanceOf({ program, joined }: PartnerInProgram, query: object) {
  const partner = { partner_id: joined.partner_id, created_at: joined.joined_at }
  const request = { program, partner, query }
  const reply = await call(showPartnerPerformance, request, REPORT_TIMEOUT_MS)
  const view = partnerPerformanceView(reply.performance)
  return { ...view, meta: { ...view.meta, ...freshnessOf(reply.applied_until) } }
}
