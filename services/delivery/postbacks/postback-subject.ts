import type { ReplyOf } from "../../../lib/bus/operation"
import type { Commission } from "../../commissions/contract"
import type { showOrigins } from "../../tracking/contract"
import { eventId } from "../events/event-body"
import { postbackEventOf, postbackStatusOf } from "./postback-event"
import type { PostbackValues } from "./postback-values"

/** An event that a postback is sent for, as it is in the table of events. */
export type PostbackSubject = {
  postback_id: number
  event_key: string
  type: string
  program_id: number
  at: string
  data: LeadData | CommissionData
}

type LeadData = { id: number; sale_id?: undefined }
type CommissionData = Commission & { held?: boolean }

type Reply = ReplyOf<typeof showOrigins>
type Origin = Reply["leads"][number] & Partial<Reply["sales"][number]>

/** All that a postback can say about an event, before what its receiver may not see is left out. */
export function valuesOf(subject: PostbackSubject, origin: Origin): PostbackValues {
  const { type, event_key, at, data } = subject
  const { id: _, amount_cents, currency, is_renewal = false, clicked_at, ...labels } = origin
  const sale_amount =
    amount_cents === undefined ? null : { cents: amount_cents, currency: currency! }
  return {
    ...labels,
    ...(data.sale_id === undefined ? NO_COMMISSION : commissionValues(data)),
    event_id: eventId(event_key),
    event: postbackEventOf(type)!,
    at: new Date(at),
    clicked_at: clicked_at === null ? null : new Date(clicked_at),
    coupon_code: null, // sales have no coupons
    sale_amount,
    is_renewal,
    random: randomOf(subject),
  }
}

const commissionValues = (commission: CommissionData) => ({
  status: postbackStatusOf({ status: commission.status, held: commission.held ?? false }),
  sale_id: commission.sale_id,
  transaction_id: commission.transaction_id,
  commission_id: commission.id,
  payout: { cents: commission.net_cents, currency: commission.currency },
})

const NO_COMMISSION = {
  status: null,
  sale_id: null,
  transaction_id: null,
  commission_id: null,
  payout: null,
}

/** It follows from the delivery, so that each attempt sends the same, even after a restore. */
const randomOf = ({ postback_id, event_key }: PostbackSubject): string =>
  Bun.SHA256.hash(`${postback_id} ${event_key}`, "hex").slice(0, RANDOM_CHARACTERS)

const RANDOM_CHARACTERS = 16
