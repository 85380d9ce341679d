import { eventId } from "../events/event-body"
import type { OutgoingRequest } from "../outside/send"
import { hideSale } from "./hide-sale"
import { type Receiver, requestOf } from "./postback-request"
import type { PostbackEvent, PostbackStatus, PostbackValues } from "./postback-values"
import type { Template } from "./template"

/** What the request of a test is made of, as it is stored. */
export type TestContent = {
  event_key: string
  event: PostbackEvent
  at: string
  program_id: number | null // null: of every program of the account
  partner_id: number | null // null: of any partner
  share_sale_amount: boolean // of the program, when it was sent
}

/** The request of a test. Nothing in it exists, but the program and the partner of the postback. */
export const sampleRequest = (
  template: Template,
  receiver: Receiver,
  content: TestContent,
): OutgoingRequest => requestOf(template, hideSale(sampleOf(content), { receiver, ...content }))

function sampleOf({ event_key, event, at, program_id, partner_id }: TestContent): PostbackValues {
  const status = STATUSES[event]
  const sale = status === null ? NO_SALE : SALE
  return {
    ...CLICK,
    ...sale,
    event,
    status,
    event_id: eventId(event_key),
    at: new Date(at),
    program_id: program_id ?? 59,
    partner_id: partner_id ?? 7,
    is_renewal: false,
    random: event_key.slice(-12),
  }
}

const STATUSES: Record<PostbackEvent, PostbackStatus | null> = {
  lead: null,
  sale: "pending",
  approved: "approved",
  rejected: "rejected",
  refunded: "reversed",
  paid: "paid",
}

const CLICK = {
  link_code: "ada",
  coupon_code: null,
  partner_click_id: "test-click",
  sub1: "test-sub1",
  sub2: "test-sub2",
  sub3: "test-sub3",
  sub4: "test-sub4",
  sub5: "test-sub5",
  click_ref: "test-click-ref",
  clicked_at: new Date("2026-01-31T12:00:00Z"),
  country: "GB",
  device_type: "desktop",
}
const SALE = {
  sale_id: 1_001,
  transaction_id: "test-order",
  sale_amount: { cents: 4_999, currency: "USD" },
  commission_id: 501,
  payout: { cents: 1_500, currency: "USD" },
}
const NO_SALE = {
  sale_id: null,
  transaction_id: null,
  sale_amount: null,
  commission_id: null,
  payout: null,
}
