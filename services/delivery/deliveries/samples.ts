import type { Endpoint } from "../contract"
import type { EventType } from "../events/contract"
import type { EventContent } from "../events/event-body"

const AT = "2026-01-31T12:00:00.000Z"
const OF_PARTNER = { partner_id: 7, program_id: 59 }
const OF_SALE = { sale_id: 1_001, transaction_id: "order-1001" }

/** The objects that events are about, by the first part of their type. */
const OBJECTS: Record<string, Record<string, unknown>> = {
  lead: {
    id: 301,
    ...OF_PARTNER,
    click_id: "clk_01KAM5Y8Q2V0X3Z7B9D1F4H6JK",
    customer_key: "customer-42",
    email_masked: "a***@s***.example",
    event_name: "signup",
    link_id: 21,
    is_test: true,
    lead_timestamp: AT,
    createdAt: AT,
  },
  sale: {
    id: 1_001,
    program_id: 59,
    transaction_id: "order-1001",
    click_id: "clk_01KAM5Y8Q2V0X3Z7B9D1F4H6JK",
    customer_key: "customer-42",
    amount_cents: 4_999,
    currency: "USD",
    sale_type: "payment",
    payment_status: "paid",
    is_recurring: false,
    is_test: true,
    sale_date: AT,
    createdAt: AT,
    commission_id: 501,
  },
  refund: {
    id: 401,
    ...OF_SALE,
    commission_id: 501,
    refund_amount_cents: 1_000,
    refund_reason: "The order was cancelled.",
    created_at: AT,
  },
  commission: {
    id: 501,
    ...OF_SALE,
    partner_id: 7,
    partner_name: "Ada Lovelace",
    group_id: 3,
    amount_cents: 1_500,
    currency: "USD",
    status: "pending",
    refunded_cents: 0,
    policy_version: 1,
    created_at: AT,
  },
  partner: {
    partner_id: 7,
    email: "ada@blog.example",
    name: "Ada Lovelace",
    status: "approved",
    group_id: 3,
    created_at: AT,
  },
  payout: { id: 81, status: "confirmed", created_at: AT, confirmed_at: AT },
  payout_item: {
    id: 811,
    payout_id: 81,
    partner_id: 7,
    status: "paid",
    currency: "USD",
    amount_cents: 1_500,
  },
  flag: { id: 91, rule: "fast_conversion", partner_id: 7, commission_id: 501, status: "open" },
  claim: { id: 95, ...OF_PARTNER, transaction_id: "order-1001", status: "open", created_at: AT },
  program: { id: 59, name: "Ada's shop", status: "active", currency: "USD", created_at: AT },
  policy: { id: 3, name: "Default", is_default: true },
}

/** The object of an event and its fields before, for a test. Nothing in it exists but the endpoint. */
export function sampleOf(
  type: EventType,
  endpoint: Endpoint,
): Pick<EventContent, "data" | "previous"> {
  const [noun = "", verb = ""] = type.split(".")
  if (noun === "endpoint") return { data: endpoint, previous: null }
  const { status, ...object } = OBJECTS[noun] as Record<string, unknown>
  if (status === undefined) return { data: object, previous: null }
  const isNew = verb === "created" || verb === "raised" || verb === "opened"
  const current = isNew || verb === "updated" ? status : verb
  return { data: { ...object, status: current }, previous: isNew ? null : { status } }
}
