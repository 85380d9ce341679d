import type { PostbackEvent } from "./postback"

type Receiver = "partner" | "program"
type Values = Record<string, string>

const STATUSES: Record<PostbackEvent, string> = {
  lead: "", // it has no commission
  sale: "pending",
  approved: "approved",
  rejected: "rejected",
  refunded: "reversed",
  paid: "paid",
}

const CLICK: Values = {
  partner_id: "7",
  program_id: "59",
  link_code: "ada",
  partner_click_id: "test-click",
  sub1: "test-sub1",
  sub2: "test-sub2",
  sub3: "test-sub3",
  sub4: "test-sub4",
  sub5: "test-sub5",
  click_ref: "test-click-ref",
  click_timestamp: "1769860800",
  country: "GB",
  device_type: "desktop",
  is_renewal: "0",
  event_id: "evt_0123456789abcdef0123456789abcdef",
  random: "0123456789ab",
}
const COMMISSION: Values = {
  sale_id: "1001",
  commission_id: "501",
  payout: "15.00",
  payout_cents: "1500",
  currency: "USD",
}

/** The value of each macro for a sample event, as a test sends it. What is absent has none. */
export const sampleOf = (event: PostbackEvent, receiver: Receiver, now = new Date()): Values => ({
  ...CLICK,
  ...(event !== "lead" && COMMISSION),
  ...(event !== "lead" && receiver === "program" && { transaction_id: "test-order" }),
  event,
  status: STATUSES[event],
  timestamp: `${Math.floor(now.valueOf() / 1_000)}`,
  datetime: now.toISOString(),
})
