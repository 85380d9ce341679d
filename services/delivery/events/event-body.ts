import type { Event, EventType } from "./contract"

const API_VERSION = "2026-11"
const BODY_MAX_BYTES = 64 * 1024
const IDS = ["program_id", "partner_id", "sale_id", "commission_id", "customer_id"]

/** What the body of an event is made of: a row of `events`, or an event of an endpoint. */
export type EventContent = {
  event_key: string // a UUID
  type: EventType
  at: string
  sequence: number | null // null: it is of an endpoint
  workspace_id: number
  program_id: number | null // null: it is of the workspace
  data: Record<string, unknown> // the object as the API shows it
  previous: object | null // its changed fields, as they were; null: nothing existed before
  is_test?: boolean
}

/** The public id of an event. It follows from the owner's key, so it survives restores. */
export const eventId = (event_key: string) => `evt_${event_key.replaceAll("-", "")}`

/**
 * The body of an event as it is sent: the same bytes each time, unless its customer was erased
 * meanwhile. Bodies are not stored anywhere, so that an erasure reaches all of them.
 */
export const eventBody = (content: EventContent, payload: "full" | "thin") =>
  JSON.stringify(eventOf(content, payload))

/** An event as the API shows it (behaviour 12.1.1). One that is too large is thin. */
export function eventOf(content: EventContent, payload: "full" | "thin"): Event {
  const { data, previous } = content
  if (payload === "thin") return eventWith(content, thin(data))
  const full = eventWith(content, { ...data, previous })
  if (Buffer.byteLength(JSON.stringify(full)) <= BODY_MAX_BYTES) return full
  return { ...eventWith(content, thin(data)), truncated: true }
}

const eventWith = (
  { event_key, type, at, sequence, workspace_id, program_id, is_test = false }: EventContent,
  data: Event["data"],
): Event => ({
  id: eventId(event_key),
  type,
  timestamp: at,
  api_version: API_VERSION,
  sequence,
  workspace_id,
  program_id,
  test: is_test,
  data,
})

/** The ids that an object has. A partner has only a `partner_id`, and a lead has its customer. */
function thin({ customer, ...data }: EventContent["data"]) {
  const fields: Record<string, unknown> = { ...data, customer_id: Object(customer).id }
  const ids = IDS.map(name => [name, fields[name]]).filter(([, id]) => typeof id === "number")
  return { id: data.id ?? data.partner_id, ...Object.fromEntries(ids) }
}
