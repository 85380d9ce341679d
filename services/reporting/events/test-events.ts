import { call } from "../../../lib/bus/bus"
import type { Slice } from "../../../lib/fields"
import { rangeOf } from "../../../lib/range"
import { listTestEvents } from "../../tracking/contract"
import type { EventCursor, EventsQuery } from "../contract"

/**
 * Lists test events, which tracking keeps and no feed shows. They have no partner and no link, so
 * none match such a filter. `after`: the last event already received. Throws "invalid" for the dates of the query.
 */
export async function readTestEvents(
  program_id: number,
  query: EventsQuery,
  slice: Slice,
  after: EventCursor | null = null,
) {
  const {
    eventType: event_type,
    partner_id,
    link_id,
    customer_key,
    transaction_id,
    country,
  } = query
  const range = rangeOf(query)
  if (partner_id || link_id) return { rows: [], total: 0 }
  const filter = { ...range, event_type, customer_key, transaction_id, country }
  return call(listTestEvents, { program_id, filter, slice, after })
}
