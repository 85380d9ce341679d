import type { Fragment, Transaction } from "../../../lib/db/database"
import type { Range } from "../../../lib/range"
import type { Event, EventCursor } from "../contract"
import { sql } from "../db"
import { KEPT_FROM } from "../retention/dropped-clicks"
import { type EventFilter, type EventType, hasValues } from "./filter"

/** Where a page starts, after an offset, a cursor or at a first event, and how many rows it has. */
type Slice = { offset?: number; after?: EventCursor | null; first?: FirstEvent; limit: number }

/** An event, given by how many events of a range are newer and how many are older. */
export type FirstEvent = Range & { newer: number; older: number }

/** Returns events, newest first. */
export async function readEvents(
  sql: Transaction,
  filter: EventFilter,
  slice: Slice,
): Promise<Event[]> {
  const rows = await sql<EventRow[]>`${selectEvents(filter, slice)}`
  return rows.map(toEvent)
}

/** Selects events, newest first. Its rows have the columns of all types; see toEvent. */
export const selectEvents = (
  filter: EventFilter,
  { offset = 0, after = null, first, limit }: Slice,
): Fragment => sql`
  select
    event.*,
    exists (
      select
      from conversions
      where customer_id = event.customer_id
        and ${isBefore}
    ) as converted
  from (
    select
      id, timestamp, event_type, customer_id, click_id, customer_key, session_id, page_url,
      referrer_url, geo_country, geo_region, geo_city, device_type, device_os, browser_name,
      transaction_id as processor_event_id, amount_cents, currency, sale_type, payment_status,
      is_recurring, created_at
    from events
    where ${matchesFilter(filter)}
      ${after ? isAfterCursor(after) : sql``}
      ${first ? isFromFirst(filter, first) : sql``}
    order by ${NEWEST_FIRST}
    limit ${limit}
    offset ${offset}
  ) as event
  order by event.timestamp desc, event.event_type desc, event.id desc
`

/**
 * Whether an event came before the sale that converted its customer: decided by the order in which
 * clicks were stored, since the clock may have been set back. A lead always did: a customer who
 * has converted cannot become one.
 */
const isBefore = sql`
  case
    when event_type <> 'click' then true
    when last_click_event_id is not null then id <= last_click_event_id
    else timestamp <= converted_at
  end
`

/** Restricts rows to the events of a filter. */
export const matchesFilter = ({ program_id, event_type, values, from, to }: EventFilter) => sql`
  program_id = ${program_id}
  and timestamp between ${from} and ${to}
  ${isOfType(event_type)}
  ${hasValues(values)}
`

/** Finds the first event in the index from the nearer end, and so skips as few rows as possible. */
const isFromFirst = (filter: EventFilter, { newer, older, ...range }: FirstEvent) => sql`
  and (timestamp, event_type, id) <= (
    select timestamp, event_type, id
    from events
    where ${matchesFilter({ ...filter, ...range })}
    order by ${newer <= older ? NEWEST_FIRST : OLDEST_FIRST}
    limit 1
    offset ${Math.min(newer, older)}
  )
`

const NEWEST_FIRST = sql`timestamp desc, event_type desc, id desc`
const OLDEST_FIRST = sql`timestamp, event_type, id`

const isAfterCursor = ({ timestamp, event_type, id }: EventCursor) => sql`
  and (timestamp, event_type, id) < (${timestamp}, ${event_type}, ${id})
`

/**
 * Restricts events to a type; null: all types. Leaves out clicks that retention dropped, even if
 * the table still has them. `<> 'click'` makes PostgreSQL use the smaller index of the other types, and
 * types are no parameters, because those of partial indexes must be known when it plans.
 */
export function isOfType(event_type: EventType | null): Fragment {
  if (event_type === null) return sql`and (event_type <> 'click' or timestamp >= ${KEPT_FROM})`
  if (event_type === "click") return sql`and event_type = 'click' and timestamp >= ${KEPT_FROM}`
  return event_type === "lead"
    ? sql`and event_type = 'lead' and event_type <> 'click'`
    : sql`and event_type = 'conversion' and event_type <> 'click'`
}

export type EventRow = Record<string, unknown> & { event_type: EventType }

const COMMON_FIELDS = ["id", "event_type", "timestamp", "click_id"]
const FIELDS: Record<EventType, string[]> = {
  click: [
    ...COMMON_FIELDS,
    ...["session_id", "page_url", "referrer_url", "geo_country", "geo_region", "geo_city"],
    ...["device_type", "device_os", "browser_name", "converted", "created_at"],
  ],
  lead: [...COMMON_FIELDS, "customer_key", "session_id", "page_url", "converted", "created_at"],
  conversion: [
    ...COMMON_FIELDS,
    ...["amount_cents", "currency", "sale_type", "payment_status", "processor_event_id"],
    ...["is_recurring", "created_at"],
  ],
}

/** Reduces a row to the fields of its event type (behaviour 7.2.2). */
export const toEvent = (row: EventRow): Event =>
  Object.fromEntries(FIELDS[row.event_type].map(field => [field, row[field]])) as Event
