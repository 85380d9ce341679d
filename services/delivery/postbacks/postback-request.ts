import { call } from "../../../lib/bus/bus"
import { Fault } from "../../../lib/fault"
import { showOrigins } from "../../tracking/contract"
import type { OutgoingRequest } from "../outside/send"
import { hideSale } from "./hide-sale"
import { type PostbackSubject, valuesOf } from "./postback-subject"
import type { PostbackValues } from "./postback-values"
import { sharesSaleAmount } from "./shares-sale-amount"
import { fillTemplate, type Template } from "./template"

const USER_AGENT = "Tributary-Postbacks/1"

/** Who receives a postback: the program itself, or one of its partners. */
export type Receiver = "program" | "partner"

/**
 * The request of a postback for one event: the same each time, unless meanwhile the template or what
 * the program shares was changed, or the customer erased. What the event does not have comes from
 * tracking and is stored nowhere here, so that an erasure reaches it. Throws "unavailable", and "missing"
 * where tracking does not know the lead or sale, as after a restore to an earlier moment.
 */
export async function makePostbackRequest(
  template: Template,
  receiver: Receiver,
  subject: PostbackSubject,
): Promise<OutgoingRequest> {
  const [origin, share_sale_amount] = await Promise.all([
    originOf(subject),
    sharesSaleAmount(subject.program_id),
  ])
  const values = hideSale(valuesOf(subject, origin), { receiver, share_sale_amount })
  return requestOf(template, values)
}

/** The request of a template that is filled with these values. */
export function requestOf(template: Template, values: PostbackValues): OutgoingRequest {
  const { url, body } = fillTemplate(template, values)
  return {
    method: template.method,
    url,
    headers: { "user-agent": USER_AGENT, ...(body && { "content-type": body.content_type }) },
    body: body?.text ?? null,
  }
}

async function originOf({ type, data }: PostbackSubject) {
  const isLead = type === "lead.created"
  const id = isLead ? data.id : data.sale_id
  const ids = { lead_ids: isLead ? [id as number] : [], sale_ids: isLead ? [] : [id as number] }
  const { leads, sales } = await call(showOrigins, ids)
  const origin = isLead ? leads[0] : sales[0]
  if (!origin) throw new Fault("missing", "The lead or sale of this event cannot be found now.")
  return origin
}
