import { Type } from "@sinclair/typebox"
import { call } from "../../../lib/bus/bus"
import { Page } from "../../../lib/fields"
import {
  type BreakdownCursor,
  BreakdownQuery,
  BreakdownRow,
  type EventCursor,
  EventsQuery,
  exportBreakdown,
  exportEvents,
  ListedEvent,
  listEvents,
  Performance,
  PerformanceQuery,
  showBreakdown,
  showPerformance,
} from "../../../services/reporting/contract"
import { programBySession, programForbidden } from "../../http/access"
import { Format, prefersCsv } from "../../http/csv"
import { streamCsv } from "../../http/export"
import { Listed, listOf, wholePage } from "../../http/list"
import { route } from "../../http/route"
import { eventView, eventViews } from "../../views/event-view"
import { Freshness, freshnessOf, REPORT_TIMEOUT_MS, ReportMeta } from "../../views/report-view"

const EVENT_COLUMNS = [
  "id",
  "event_type",
  "timestamp",
  "click_id",
  "session_id",
  "page_url",
  "referrer_url",
  "geo_country",
  "geo_region",
  "geo_city",
  "device_type",
  "device_os",
  "browser_name",
  "customer_key",
  "amount_cents",
  "currency",
  "sale_type",
  "payment_status",
  "processor_event_id",
  "is_recurring",
  "converted",
  "createdAt",
]
const BREAKDOWN_COLUMNS = Object.keys(BreakdownRow.properties)

const WHOLE_AS_CSV =
  "With `Accept: text/csv`, or `format=csv`, the whole selection is streamed and the page is ignored."

const ListedEventView = Type.Union(eventViews(ListedEvent.anyOf))

/** Events, performance and breakdowns of a program (behaviour 7.2, 7.3, 7.7). */
export const reporting = [
  route(
    {
      id: "listEvents",
      method: "GET",
      path: "/api/tracking/events/:programId",
      summary: "List the clicks, leads and conversions of a program, newest first",
      description:
        "With `customer_key` these are all events of the customer who has this key. " +
        "`test=true` lists the test events alone, which are left out otherwise. " +
        WHOLE_AS_CSV,
      access: programForbidden("tracking:list"),
      isReport: true,
      query: [EventsQuery, Format, Page],
      texts: ["text/csv"],
      answers: {
        200: Listed(ListedEventView, Freshness),
        403: "There is no valid session, or it does not allow this.",
      },
    },
    async ({ request, program, query, page }) => {
      const of = { program_id: program.id, query }
      if (prefersCsv(request, query)) {
        const exported = {
          workspace_id: program.workspace_id,
          program_id: program.id,
          list: "events",
        }
        return streamCsv(request, exported, EVENT_COLUMNS, async (after: EventCursor | null) => {
          const { rows, ...part } = await call(exportEvents, { ...of, after }, REPORT_TIMEOUT_MS)
          return { ...part, rows: rows.map(eventView) }
        })
      }
      const listed = await wholePage(page, (slice, after?: ListedEvent) =>
        call(listEvents, { ...of, slice, after }, REPORT_TIMEOUT_MS),
      )
      const { data, meta } = listOf(listed.rows.map(eventView), listed.total, page)
      return { data, meta: { ...meta, ...freshnessOf(listed.applied_until) } }
    },
  ),
  route(
    {
      id: "showPerformance",
      method: "GET",
      path: "/api/tracking/performance/:programId",
      summary: "Show the metrics of each day, and their trends",
      access: programBySession("performance:read"),
      isReport: true,
      query: [PerformanceQuery],
      answers: { 200: Type.Object({ ...Performance.properties, meta: ReportMeta }) },
    },
    async ({ program, query }) => {
      const reply = await call(showPerformance, { program, query }, REPORT_TIMEOUT_MS)
      const { data, metrics, meta } = reply.performance
      return { data, metrics, meta: { ...meta, ...freshnessOf(reply.applied_until) } }
    },
  ),
  route(
    {
      id: "showBreakdown",
      method: "GET",
      path: "/api/tracking/breakdown/:programId",
      summary: "Show the metrics of each partner, link, country and so on",
      description: WHOLE_AS_CSV,
      access: programBySession("tracking:list"),
      isReport: true,
      query: [BreakdownQuery, Format, Page],
      texts: ["text/csv"],
      answers: {
        200: Listed(BreakdownRow, {
          ...showBreakdown.reply.properties.meta.properties,
          ...Freshness,
        }),
      },
    },
    async ({ request, program, query, page }) => {
      const of = { program, query }
      if (prefersCsv(request, query)) {
        const exported = {
          workspace_id: program.workspace_id,
          program_id: program.id,
          list: `breakdown-${query.by ?? "partner"}`,
        }
        return streamCsv(
          request,
          exported,
          BREAKDOWN_COLUMNS,
          async (after: BreakdownCursor | null) => {
            const { rows, ...part } = await call(
              exportBreakdown,
              { ...of, after },
              REPORT_TIMEOUT_MS,
            )
            return { ...part, rows: rows.map(flat) }
          },
        )
      }
      const shown = await wholePage(page, slice =>
        call(showBreakdown, { ...of, slice }, REPORT_TIMEOUT_MS),
      )
      const { data, meta } = listOf(shown.rows, shown.total, page)
      return { data, meta: { ...shown.meta, ...meta, ...freshnessOf(shown.applied_until) } }
    },
  ),
]

/** In CSV, other currencies are one field that holds JSON. It is empty if there are none. */
const flat = ({ otherCurrencies, ...row }: BreakdownRow) => ({
  ...row,
  otherCurrencies: otherCurrencies.length > 0 ? JSON.stringify(otherCurrencies) : null,
})
