/** What a postback is sent for. */
export const POSTBACK_EVENTS = ["lead", "sale", "approved", "rejected", "refunded", "paid"] as const
export type PostbackEvent = (typeof POSTBACK_EVENTS)[number]

/** The state of a commission as partners' trackers know it. `reversed` is any refund. */
export const POSTBACK_STATUSES = [
  "pending",
  "approved",
  "held",
  "rejected",
  "reversed",
  "paid",
] as const
export type PostbackStatus = (typeof POSTBACK_STATUSES)[number]

/** An amount in the smallest unit of its currency. */
export type Money = { cents: number; currency: string }

/**
 * All that a postback can say about one event (behaviour 12.5.3). Null: there is no such value, and
 * its macro is empty. Macros read these fields and nothing else. As none of them is a click_id, a
 * customer key, an e-mail address or an IP address, no template can send one.
 */
export type PostbackValues = {
  event_id: string
  event: PostbackEvent
  /** Null for a lead, which has no commission. */
  status: PostbackStatus | null
  at: Date

  program_id: number
  /** The partner's id in the program. */
  partner_id: number
  link_code: string | null
  coupon_code: string | null

  /** The partner's own id of the click: what the link brought as `pcid`. */
  partner_click_id: string | null
  sub1: string | null
  sub2: string | null
  sub3: string | null
  sub4: string | null
  sub5: string | null

  /** An opaque reference of the click. It must not be the click_id, nor lead to it. */
  click_ref: string | null
  clicked_at: Date | null
  country: string | null
  device_type: string | null

  sale_id: number | null
  /** Null where the receiver may not see it (`hideSale`). */
  transaction_id: string | null
  sale_amount: Money | null
  is_renewal: boolean

  commission_id: number | null
  /** The commission less its deductions. */
  payout: Money | null

  /** Drawn once per delivery, so that its retries send the same bytes. */
  random: string
}
