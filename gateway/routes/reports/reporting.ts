import { Type } from "@sinclair/typebox"
import { type Context, Elysia } from "elysia"
import { call } from "../../../lib/bus/bus"
import { Fault } from "../../../lib/fault"
import { Page, Time } from "../../../lib/fields"
import {
  type BreakdownCursor,
  BreakdownQuery,
  BreakdownRow,
  Event,
  type EventCursor,
  EventsQuery,
  exportBreakdown,
  exportEvents,
  listEvents,
  Performance,
  PerformanceQuery,
  showBreakdown,
  showPerformance,
} from "../../../services/reporting/contract"
import { authorizeSession } from "../../http/caller"
import { prefersCsv } from "../../http/csv"
import { EventView, eventView } from "../../http/event-view"
import { exported } from "../../http/export"
import { Listed, listOf, wholePage } from "../../http/list"
import { pageOf, queryOf } from "../../http/query"
import { PERMITTED, reads } from "../../openapi/description"

/** Counts for the later parts of an export alone: all else ends with deadline.ts. */
export const REPORT_TIMEOUT_MS = 5_000

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

const WHOLE_AS_CSV = "With `Accept: text/csv` the whole selection is streamed, whatever the page."

/** In the meta of an answer, and only where it does not reach up to the question. */
export const Freshness = { appliedUntil: Type.Optional(Time) }
export const ReportMeta = Type.Object({ ...Performance.properties.meta.properties, ...Freshness })

const ListedEvent = Type.Union(Event.anyOf.map(EventView))

/** What dashboard users see of a program (specification 4.6, 4.7, and beyond it breakdowns). */
export const reporting = new Elysia({ prefix: "/api/tracking" })
  .get(
    "/events/:programId",
    getEvents,
    reads({
      id: "listEvents",
      summary: "List the clicks, leads and conversions of a program, newest first",
      description: WHOLE_AS_CSV,
      by: PERMITTED,
      query: [EventsQuery, Page],
      texts: ["text/csv"],
      answers: {
        200: Listed(ListedEvent, Freshness),
        401: null,
        403: "No session, or not allowed.",
      },
    }),
  )
  .get(
    "/performance/:programId",
    getPerformance,
    reads({
      id: "showPerformance",
      summary: "Show what each day brought, and the trends",
      by: PERMITTED,
      query: [PerformanceQuery],
      answers: { 200: Type.Object({ ...Performance.properties, meta: ReportMeta }) },
    }),
  )
  .get(
    "/breakdown/:programId",
    getBreakdown,
    reads({
      id: "showBreakdown",
      summary: "Show what each partner, link, country and so on brought",
      description: WHOLE_AS_CSV,
      by: PERMITTED,
      query: [BreakdownQuery, Page],
      texts: ["text/csv"],
      answers: {
        200: Listed(BreakdownRow, {
          ...showBreakdown.reply.properties.meta.properties,
          ...Freshness,
        }),
      },
    }),
  )

type Asked = Pick<Context<{ params: { programId: string } }>, "request" | "params">

async function getEvents({ request, params }: Asked) {
  const { id: program_id } = await authorizeSession(
    request,
    "tracking:list",
    params.programId,
  ).catch(
    forbidden, // 403 without a session, as specification 5.2 says
  )
  const page = pageOf(request) // 400
  const query = queryOf(request, EventsQuery)

  if (prefersCsv(request)) {
    return exported(
      request,
      `events-${program_id}`,
      EVENT_COLUMNS,
      async (after: EventCursor | null) => {
        const asked = { program_id, query, after }
        const { rows, ...part } = await call(exportEvents, asked, REPORT_TIMEOUT_MS)
        return { ...part, rows: rows.map(eventView) }
      },
    )
  }
  const { rows, total, applied_until } = await wholePage(page, (slice, after?: Event) =>
    call(listEvents, { program_id, query, slice, after }, REPORT_TIMEOUT_MS),
  )
  const { data, meta } = listOf(rows.map(eventView), total, page)
  return { data, meta: { ...meta, ...freshnessOf(applied_until) } }
}

async function getPerformance({ request, params }: Asked) {
  const program = await authorizeSession(request, "performance:read", params.programId)
  const query = queryOf(request, PerformanceQuery) // 400

  const asked = { program, query }
  const { performance, applied_until } = await call(showPerformance, asked, REPORT_TIMEOUT_MS)
  const { data, metrics, meta } = performance
  return { data, metrics, meta: { ...meta, ...freshnessOf(applied_until) } }
}

async function getBreakdown({ request, params }: Asked) {
  const program = await authorizeSession(request, "tracking:list", params.programId)
  const page = pageOf(request) // 400
  const query = queryOf(request, BreakdownQuery)

  if (prefersCsv(request)) {
    const name = `breakdown-${query.by ?? "partner"}-${program.id}`
    return exported(request, name, BREAKDOWN_COLUMNS, async (after: BreakdownCursor | null) => {
      const { rows, ...part } = await call(
        exportBreakdown,
        { program, query, after },
        REPORT_TIMEOUT_MS,
      )
      return { ...part, rows: rows.map(flat) }
    })
  }
  const shown = await wholePage(page, slice =>
    call(showBreakdown, { program, query, slice }, REPORT_TIMEOUT_MS),
  )
  const { data, meta } = listOf(shown.rows, shown.total, page)
  return { data, meta: { ...shown.meta, ...meta, ...freshnessOf(shown.applied_until) } }
}

/** In CSV other currencies are one field of JSON, which is empty where there are none. */
const flat = ({ otherCurrencies, ...row }: BreakdownRow) => ({
  ...row,
  otherCurrencies: otherCurrencies.length > 0 ? JSON.stringify(otherCurrencies) : null,
})

export const freshnessOf = (applied_until: string | null) =>
  applied_until === null ? {} : { appliedUntil: applied_until }

function forbidden(error: unknown): never {
  if (error instanceof Fault && error.kind === "unauthorized") {
    throw new Fault("forbidden", error.message)
  }
  throw error
}
