import { type Static, Type } from "@sinclair/typebox"
import { operation } from "../../../lib/bus/operation"
import { Id, Name, Nullable, OneOf, Slice, Time } from "../../../lib/fields"
import { Day } from "../../../lib/range"
import { TestEvent } from "../../tracking/contract"
import { applied_until } from "../freshness/contract"

const IdInQuery = Type.String({ pattern: "^[1-9][0-9]{0,14}$", description: "a positive integer" })

/** The query of GET /api/tracking/events/:programId without its page (behaviour 7.2.1). */
export const EventsQuery = Type.Object({
  eventType: Type.Optional(
    Type.Union([Type.Literal("click"), Type.Literal("lead"), Type.Literal("conversion")], {
      description: "click, lead or conversion",
    }),
  ),
  dateFrom: Day,
  dateTo: Day,
  partner_id: Type.Optional(IdInQuery),
  link_id: Type.Optional(IdInQuery),
  customer_key: Type.Optional(Name),
  transaction_id: Type.Optional(Name),
  country: Type.Optional(
    Type.String({ pattern: "^[A-Z]{2}$", description: "a country code like GB" }),
  ),
  test: Type.Optional(OneOf("true", "false")),
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

/** A click, lead or sale with the fields of its type (behaviour 7.2.2). */
export const Event = Type.Union([ClickEvent, LeadEvent, ConversionEvent])

/** An event of a list: with `test=true` all are test events. */
export const ListedEvent = Type.Union([...Event.anyOf, ...TestEvent.anyOf])

export type ListedEvent = Static<typeof ListedEvent>

export type Event = Static<typeof Event>

const EventCursor = Type.Object({ timestamp: Time, event_type: Type.String(), id: Id })

export type EventCursor = Static<typeof EventCursor>

/**
 * Lists the events of a program, newest first (behaviour 7.2). `total` counts all events that match
 * the query. `after`: the last event already received, where the rest of a page is to continue.
 * With a `customer_key` these are the events of the customer who has it now.
 * Faults: invalid (a date that does not exist, a range that ends before it starts or is too long).
 */
export const listEvents = operation("reporting.event.list", {
  request: Type.Object({
    program_id: Id,
    query: EventsQuery,
    slice: Slice,
    after: Type.Optional(EventCursor),
  }),
  reply: Type.Object({ rows: Type.Array(ListedEvent), total: Type.Integer(), applied_until }),
})

/**
 * Returns a part of the events of a program, newest first, as they are when the part is read
 * (behaviour 7.8). `after`: the `next` of the part before, null for the first. `next` null: this is
 * the last part.
 * Faults: invalid (as for listEvents), unavailable (the reports are being rebuilt, and an export
 * would miss rows).
 */
export const exportEvents = operation("reporting.event.export", {
  request: Type.Object({ program_id: Id, query: EventsQuery, after: Nullable(EventCursor) }),
  reply: Type.Object({
    rows: Type.Array(ListedEvent),
    next: Nullable(EventCursor),
    applied_until, // null in all parts but the first
  }),
})
