import type { Fragment } from "../../../lib/db/database"
import { asFault } from "../../../lib/fault"
import { jsonTime } from "../../../lib/outgoing-events"
import { sql } from "../db"
import { URL_LENGTH_MAX } from "../outside/destination"
import type { OutgoingRequest } from "../outside/send"
import { makePostbackRequest, type Receiver } from "../postbacks/postback-request"
import type { PostbackSubject } from "../postbacks/postback-subject"
import { sampleRequest, type TestContent } from "../postbacks/sample-request"
import type { Template } from "../postbacks/template"
import type { Lease } from "../queue/claim-deliveries"
import { START_MS_MAX } from "../queue/receivers"
import { isWanted } from "../queue/wanted"

const LEASE_LEFT_SECONDS = 20 // an attempt takes 15 s at most
const TOO_LONG = `With the values of this event, the address has more than ${URL_LENGTH_MAX} characters.`

/** A request with its time, and what it is signed with. Postbacks are not signed. */
export type PreparedRequest = OutgoingRequest & { at: Date; signature: string | null }

export type Content = {
  template: Template
  receiver: Receiver
  subject: PostbackSubject | null // null: it is a test
  own_event: TestContent | null // null: it is of an event
}

/**
 * An attempt of a postback: where it is sent, and its request, which `prepare` returns if the lease
 * still holds and the postback has not been changed or disabled since. Null: it is not wanted any
 * more. "postponed": tracking, which knows where the sale came from, or identity is away. A refusal
 * says why the event has no request now.
 */
export async function postbackAttempt(lease: Lease) {
  const content = await findContent(lease)
  if (!content) return null
  const made = await makeRequest(content)
  if (made === "postponed" || "refusal" in made) return made

  const prepare = async (): Promise<PreparedRequest | null> => {
    const start_ms = performance.now()
    const present = await findContent(lease)
    if (!Bun.deepEquals(present?.template, content.template)) return null
    const isFresh = performance.now() - start_ms < START_MS_MAX
    return isFresh ? { ...made, at: new Date(), signature: null } : prepare()
  }
  return { url: made.url, prepare }
}

async function makeRequest(content: Content) {
  try {
    const request = await requestOfDelivery(content)
    return request.url.length > URL_LENGTH_MAX ? { refusal: TOO_LONG } : request
  } catch (error) {
    const { kind, message } = asFault(error)
    if (kind === "unavailable") return "postponed"
    if (kind === "missing") return { refusal: message }
    throw error
  }
}

/** Builds the request of a delivery, as each attempt does. Throws "unavailable" and "missing". */
export const requestOfDelivery = async ({ template, receiver, subject, own_event }: Content) =>
  own_event
    ? sampleRequest(template, receiver, own_event)
    : makePostbackRequest(template, receiver, subject!)

async function findContent({ delivery_id, token }: Lease): Promise<Content | null> {
  const [content] = await sql<[Content?]>`
    select ${contentColumns}
    from leases
    join deliveries as delivery on delivery.id = delivery_id
    join receivers on receivers.id = delivery.receiver_id
    join postbacks as postback on postback.id = receivers.postback_id
    join destinations as endpoint on endpoint.receiver_id = receivers.id
    left join events as event on event.id = delivery.event_id
    where delivery_id = ${delivery_id}
      and token = ${token}
      and until > now() + ${LEASE_LEFT_SECONDS} * interval '1 second'
      and delivery.status = 'pending'
      and ${isWanted}
  `
  return content ?? null
}

/** What a request is made of. For statements that join `postback`, and the `event` if there is one. */
export const contentColumns: Fragment = sql`
  jsonb_strip_nulls(jsonb_build_object(
    'url', postback.url,
    'method', postback.method,
    'body', case
      when body_type is not null
      then jsonb_build_object('type', body_type, 'template', body_template)
    end,
    'dialect', postback.dialect
  )) as template,
  case
    when postback.account_id is null and postback.partner_id is null then 'program'
    else 'partner'
  end as receiver,
  case when event.id is not null then jsonb_build_object(
    'postback_id', postback.id,
    'event_key', event.event_key,
    'type', event.type,
    'program_id', event.program_id,
    'at', ${jsonTime(sql, "event.at")},
    'data', event.data
  ) end as subject,
  own_event
`
