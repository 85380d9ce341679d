import type { Fragment, Transaction } from "../../../lib/db/database"
import type { Event, EventCursor } from "../contract"
import { sql } from "../db"
import type { Range } from "../periods/range"
import { KEPT_FROM } from "../retention/dropped-clicks"

export type EventType = Event["event_type"]

/** What is left out: so many, or all up to a place, or all that are newer than an event. */
type Slice = { offset?: number; after?: EventCursor | null; first?: FirstEvent; limit: number }

/** The event of a range than which so many are newer, and so many older. */
export type FirstEvent = Range & { newer: number; older: number }

/** `event_type` null: all types. */
export type WantedEvents = Range & { program_id: number; event_type: EventType | null }

/** Events of a range, the newest first. */
export async function readEvents(
  sql: Transaction,
  wanted: WantedEvents,
  slice: Slice,
): Promise<Event[]> {
  const rows = await sql<EventRow[]>`${eventsIn(wanted, slice)}`
  return rows.map(eventOf)
}

/** The same as a part of a statement. Its rows hold the columns of all types. */
export const eventsIn = (
  wanted: WantedEvents,
  { offset = 0, after = null, first, limit }: Slice,
): Fragment => sql`
  select
    event.*,
    coalesce(
      event.timestamp <= (
        select converted_at from conversions where customer_id = event.customer_id
      ),
      false
    ) as converted
  from (
    select
      id, timestamp, event_type, customer_id, click_id, customer_key, session_id, page_url,
      referrer_url, geo_country, geo_region, geo_city, device_type, device_os, browser_name,
      transaction_id as processor_event_id, amount_cents, currency, sale_type, payment_status,
      is_recurring, created_at
    from events
    where ${isWanted(wanted)}
      ${after ? isAfter(after) : sql``}
      ${first ? isFrom(wanted, first) : sql``}
    order by ${NEWEST_FIRST}
    limit ${limit}
    offset ${offset}
  ) as event
  order by event.timestamp desc, event.event_type desc, event.id desc
`

const isWanted = ({ program_id, event_type, from, to }: WantedEvents) => sql`
  program_id = ${program_id}
  and timestamp between ${from} and ${to}
  ${isOfType(event_type)}
`

/** Looks for the event from the nearer end, by its index: what is left out is seldom read. */
const isFrom = (wanted: WantedEvents, { newer, older, ...range }: FirstEvent) => sql`
  and (timestamp, event_type, id) <= (
    select timestamp, event_type, id
    from events
    where ${isWanted({ ...wanted, ...range })}
    order by ${newer <= older ? NEWEST_FIRST : OLDEST_FIRST}
    limit 1
    offset ${Math.min(newer, older)}
  )
`

const NEWEST_FIRST = sql`timestamp desc, event_type desc, id desc`
const OLDEST_FIRST = sql`timestamp, event_type, id`

const isAfter = ({ timestamp, event_type, id }: EventCursor) => sql`
  and (timestamp, event_type, id) < (${timestamp}, ${event_type}, ${id})
`

/**
 * Clicks that retention dropped are no events any more, even where they still stand in the table.
 * Says that it is no click, too, where that is so: other events have a small index of theirs.
 */
export function isOfType(event_type: EventType | null): Fragment {
  if (event_type === null) return sql`and (event_type <> 'click' or timestamp >= ${KEPT_FROM})`
  if (event_type === "click") return sql`and event_type = 'click' and timestamp >= ${KEPT_FROM}`
  return sql`and event_type = ${event_type} and event_type <> 'click'`
}

export type EventRow = Record<string, unknown> & { event_type: EventType }

const EVERY = ["id", "event_type", "timestamp", "click_id"]
const FIELDS: Record<EventType, string[]> = {
  click: [
    ...EVERY,
    ...["session_id", "page_url", "referrer_url", "geo_country", "geo_region", "geo_city"],
    ...["device_type", "device_os", "browser_name", "converted", "created_at"],
  ],
  lead: [...EVERY, "customer_key", "session_id", "page_url", "converted", "created_at"],
  conversion: [
    ...EVERY,
    ...["amount_cents", "currency", "sale_type", "payment_status", "processor_event_id"],
    ...["is_recurring", "created_at"],
  ],
}

/** A row with the columns that its type has. */
export const eventOf = (row: EventRow): Event =>
  Object.fromEntries(FIELDS[row.event_type].map(field => [field, row[field]])) as Event

/** Makes the partitions in which events of these times go. */
export const makeRoom = (sql: Transaction, times: string[]) => {
  const months = [...new Set(times.map(time => `${time.slice(0, 7)}-01`))]
  return sql`
    select ensure_event_partition(month::date)
    from jsonb_array_elements_text(${sql.json(months)}) as month
  `
}

export const forgetEvents = (sql: Transaction, event_type: EventType) => sql`
  delete from events
  where event_type = ${event_type}
`
