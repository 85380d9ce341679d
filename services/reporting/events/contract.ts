import { type Static, Type } from "@sinclair/typebox"
import { operation } from "../../../lib/bus/operation"
import { Id, Nullable, Slice, Time } from "../../../lib/fields"
import { applied_until } from "../freshness/contract"
import { Day } from "../periods/contract"

/** The query of GET /api/tracking/events/:programId, its page apart (specification 4.6). */
export const EventsQuery = Type.Object({
  eventType: Type.Optional(
    Type.Union([Type.Literal("click"), Type.Literal("lead"), Type.Literal("conversion")], {
      description: "click, lead or conversion",
    }),
  ),
  dateFrom: Day,
  dateTo: Day,
})

export type EventsQuery = Static<typeof EventsQuery>

const common = {
  id: Id,
  timestamp: Time,
  click_id: Nullable(Type.String()), // null: the customer is erased
  created_at: Time,
}

const ClickEvent = Type.Object({
  ...common,
  event_type: Type.Literal("click"),
  session_id: Nullable(Type.String()),
  page_url: Nullable(Type.String()),
  referrer_url: Nullable(Type.String()),
  geo_country: Nullable(Type.String()),
  geo_region: Nullable(Type.String()),
  geo_city: Nullable(Type.String()),
  device_type: Nullable(Type.String()),
  device_os: Nullable(Type.String()),
  browser_name: Nullable(Type.String()),
  converted: Type.Boolean(),
})

const LeadEvent = Type.Object({
  ...common,
  event_type: Type.Literal("lead"),
  customer_key: Nullable(Type.String()),
  session_id: Nullable(Type.String()),
  page_url: Nullable(Type.String()),
  converted: Type.Boolean(),
})

const ConversionEvent = Type.Object({
  ...common,
  event_type: Type.Literal("conversion"),
  amount_cents: Type.Integer(),
  currency: Type.String(),
  sale_type: Type.String(),
  payment_status: Type.String(),
  processor_event_id: Type.String(), // the transaction_id
  is_recurring: Type.Boolean(),
})

/** A click, lead or sale in the one shape of its kind (specification 4.6). */
export const Event = Type.Union([ClickEvent, LeadEvent, ConversionEvent])

export type Event = Static<typeof Event>

const EventCursor = Type.Object({ timestamp: Time, event_type: Type.String(), id: Id })

export type EventCursor = Static<typeof EventCursor>

/**
 * The events of a program, the newest first (specification 4.6). `total` counts all that the query
 * means. `after`: the event that the rest of a page goes on from, wherever it stands by now.
 * Faults: invalid (a date that does not exist, a range that ends before it starts or is too long).
 */
export const listEvents = operation("reporting.event.list", {
  request: Type.Object({
    program_id: Id,
    query: EventsQuery,
    slice: Slice,
    after: Type.Optional(EventCursor),
  }),
  reply: Type.Object({ rows: Type.Array(Event), total: Type.Integer(), applied_until }),
})

/** The events of a program, the newest first; as they are when their part is read. */
export const exportEvents = operation("reporting.event.export", {
  request: Type.Object({ program_id: Id, query: EventsQuery, after: Nullable(EventCursor) }),
  reply: Type.Object({
    rows: Type.Array(Event),
    next: Nullable(EventCursor),
    applied_until, // null in all parts but the first
  }),
})
