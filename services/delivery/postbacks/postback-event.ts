import type { PostbackEvent, PostbackStatus } from "./postback-values"

/**
 * What a postback calls an event of this type. Null: postbacks are not sent for it. A sale is sent
 * with the commission that it earns, as a sale without one is no news to a partner.
 */
export const postbackEventOf = (type: string): PostbackEvent | null => EVENTS.get(type) ?? null

const EVENTS = new Map<string, PostbackEvent>([
  ["lead.created", "lead"],
  ["commission.created", "sale"],
  ["commission.approved", "approved"],
  ["commission.rejected", "rejected"],
  ["commission.refunded", "refunded"],
  ["commission.reversed", "refunded"],
  ["commission.paid", "paid"],
])

/** The types of events that postbacks are sent for. */
export const POSTBACK_TYPES = [...EVENTS.keys()]

type CommissionStatus = "pending" | "approved" | "rejected" | "refunded" | "reversed" | "paid"

/** The `{status}` of a commission. Both kinds of refund are `reversed`. */
export function postbackStatusOf(commission: {
  status: CommissionStatus
  held: boolean
}): PostbackStatus {
  const { status, held } = commission
  if (status === "refunded" || status === "reversed") return "reversed"
  if (held && (status === "pending" || status === "approved")) return "held"
  return status
}
