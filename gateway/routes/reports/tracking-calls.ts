import { type Static, Type } from "@sinclair/typebox"
import { call } from "../../../lib/bus/bus"
import { Instant, Nullable } from "../../../lib/fields"
import { type ListedEvent, listEvents } from "../../../services/reporting/contract"
import { listCalls, TrackingCall } from "../../../services/tracking/contract"
import { program } from "../../http/access"
import { route } from "../../http/route"
import { REPORT_TIMEOUT_MS } from "../../views/report-view"

const CALLS_MAX = 200
const DAY_MS = 24 * 60 * 60 * 1_000
const KEPT_MS = 7 * DAY_MS

const Query = Type.Object({
  status: Type.Optional(
    Type.String({
      pattern: "^([1-5][0-9]{2}|refused)$",
      description: "a status like 400, or refused",
    }),
  ),
  since: Type.Optional(Instant),
})

const CallView = Type.Object({
  ...TrackingCall.properties,
  fields: Type.Record(Type.String(), Nullable(Type.String()), {
    description: "the names of what was sent, with the values of transaction_id, click_id and aff",
  }),
})
type Call = Static<typeof TrackingCall>

/** What a program's tracking endpoints were sent lately, and why it was refused (behaviour 17.6). */
export const trackingCalls = [
  route(
    {
      id: "listTrackingCalls",
      method: "GET",
      path: "/api/advertiser/affiliate-programs/:id/tracking-calls",
      summary: "List the newest calls to the tracking endpoints, refused ones too",
      description:
        "At most 200 calls, and none older than seven days, newest first; the list is not paged. " +
        "`status=refused` lists those with an `error`. Values are shown of `transaction_id`, `click_id` and `aff` only. " +
        "Calls whose token or `aff` is unknown belong to no program.",
      access: program("tracking:read"),
      query: [Query],
      answers: { 200: Type.Object({ data: Type.Array(CallView) }) },
    },
    async ({ program, query }) => {
      const program_id = program.id
      const status = statusOf(query.status)
      const since = query.since ? new Date(query.since).toISOString() : null
      const parts = await Promise.all([
        call(listCalls, { program_id, status, since }).then(({ calls }) => calls),
        ...(status === null || status === 200 ? recordedCalls(program_id, since) : []),
      ])
      const calls = parts.flat().sort((a, b) => (a.at < b.at ? 1 : -1))
      return { data: calls.slice(0, CALLS_MAX) }
    },
  ),
]

const statusOf = (text: string | undefined) => {
  if (text === undefined) return null
  return text === "refused" ? text : Number(text)
}

/** The calls that became events, test events included: they are not logged. */
function recordedCalls(program_id: number, since: string | null): Promise<Call[]>[] {
  const dateFrom = earliest(since)
  const slices = [0, CALLS_MAX / 2].map(offset => ({ offset, limit: CALLS_MAX / 2 }))
  return (["false", "true"] as const).flatMap(test =>
    slices.map(async slice => {
      const request = { program_id, query: { dateFrom, test }, slice }
      const { rows } = await call(listEvents, request, REPORT_TIMEOUT_MS)
      return rows.filter(({ timestamp }) => since === null || timestamp > since).map(callOf)
    }),
  )
}

function earliest(since: string | null): string {
  const kept = new Date(Date.now() - KEPT_MS).toISOString()
  return since !== null && since > kept ? since : kept
}

/** The call that recorded an event, as far as the event shows what was sent. */
function callOf(event: ListedEvent): Call {
  const of = { at: event.timestamp, status: 200, error: null }
  switch (event.event_type) {
    case "click":
      return { ...of, route: "click", fields: present(event, ["page_url", "referrer_url"]) }
    case "lead": {
      const fields = present(event, ["customer_key"])
      return { ...of, route: "lead", fields: { click_id: event.click_id, ...fields } }
    }
    case "conversion": {
      const fields = present(event, ["amount_cents", "currency"])
      return {
        ...of,
        route: "sale",
        fields: { transaction_id: event.processor_event_id, ...fields },
      }
    }
  }
}

const present = (event: object, names: string[]): Record<string, null> =>
  Object.fromEntries(
    Object.entries(event)
      .filter(([name, value]) => names.includes(name) && value !== null)
      .map(([name]) => [name, null]),
  )
