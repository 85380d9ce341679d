import { type Static, Type } from "@sinclair/typebox"
import { operation } from "../../../lib/bus/operation"
import { cutAt, Descriptive } from "../../../lib/descriptive"
import { Cents, Flag, Id, Name, Nullable, OneOf, Reason, Time } from "../../../lib/fields"
import { TestMode } from "../additional-data"
import { attribution, origin } from "../attribution"

const Item = Type.Record(Type.String(), Type.Unknown())

/** Any detail of a sale, at most 16 KiB as JSON. */
const LineItems = Type.Union([Item, Type.Array(Item)], {
  description: "an object or a list of objects",
})

export const SaleFields = {
  transaction_id: Name,
  amount_cents: Cents,
  customer_key: Type.Optional(Name), // wins over click_id
  click_id: Type.Optional(Name),
  currency: Type.Optional(
    Type.String({ pattern: "^[A-Za-z]{3}$", description: "an ISO 4217 code like USD" }),
  ),
  sale_type: Type.Optional(OneOf("payment", "subscription")),
  line_items: Type.Optional(LineItems),
  is_recurring: Type.Optional(Flag),
  subscription_id: Type.Optional(Name),
  subscription_interval: Type.Optional(OneOf("monthly", "quarterly", "annual")),
  product_id: Type.Optional(Name),
  additional_data: Descriptive(Type.Object(TestMode, { description: "an object" })),
}

/** The body of POST /track/sale (behaviour 4.3.1). The table's columns have the same names. */
export const Sale = Type.Object(SaleFields)

export type Sale = Static<typeof Sale>

/** The body of POST /track/refund (behaviour 4.4.1). An amount of 0 or none: a full refund. */
export const Refund = Type.Object({
  transaction_id: Name,
  refund_amount_cents: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: "0 or a positive integer, in the smallest unit of the currency",
    }),
  ),
  refund_reason: Descriptive(Reason, cutAt(1_024)),
  refund_id: Type.Optional(Name), // distinguishes the partial refunds of a sale
  additional_data: Descriptive(Type.Object(TestMode, { description: "an object" })),
})

export type Refund = Static<typeof Refund>

/** Why a sale earned no commission. */
const NoCommissionReason = OneOf("attribution_window_expired", "commission_duration_ended")

/**
 * Records a sale of `program_id` and the commission it earns, once per transaction_id (behaviour
 * 4.3.2). `request_id` identifies the HTTP request; a repeat with the same one gets the same reply.
 * Of concurrent requests one succeeds, and the others get "duplicate".
 * `commission_id` null: none was earned, and `reason` says why.
 * Faults: invalid (the customer does not exist, belongs to another program or has no partner),
 * duplicate, failed (no commission yet), unavailable (outcome unknown). Retry the last two.
 */
export const recordSale = operation("tracking.sale.record", {
  request: Type.Object({ request_id: Type.String(), program_id: Id, sale: Sale }),
  reply: Type.Object({
    sale_id: Id,
    commission_id: Nullable(Id),
    reason: Nullable(NoCommissionReason),
    click_age_days: Type.Integer(), // whole days between the attributing click and the sale
    window_days: Type.Integer(),
  }),
})

/**
 * Refunds all or part of a sale of `program_id` and takes back what it earned (behaviour 4.4).
 * A repeat with the same `request_id` gets the same reply. `deduction_cents` is in `currency`,
 * before the clamp. Faults: missing (no such sale in the program), invalid (the refund exceeds the
 * sale, or what remains of it), failed, unavailable. Retry the last two.
 */
export const refundSale = operation("tracking.sale.refund", {
  request: Type.Object({ request_id: Type.String(), program_id: Id, refund: Refund }),
  reply: Type.Union([
    Type.Object({
      status: OneOf("reversed", "refunded"),
      commission_id: Id,
      deduction_cents: Type.Integer(),
      currency: Type.String(),
    }),
    Type.Object({ status: Type.Literal("no_commission") }),
    Type.Object({ status: Type.Literal("skipped"), commission_id: Id, reason: Type.String() }),
  ]),
})

/** Returns all stored fields of a complete sale (behaviour 5.3.3). Faults: missing. */
export const showSale = operation("tracking.sale.show", {
  request: Type.Object({ program_id: Id, sale_id: Id }),
  reply: Type.Object({
    id: Id,
    transaction_id: Nullable(Type.String()), // null: a test sale without one
    program_id: Id,
    click_id: Nullable(Type.String()),
    customer_key: Nullable(Type.String()),
    amount_cents: Nullable(Type.Integer()),
    currency: Type.String(),
    sale_type: Type.String(),
    payment_status: Type.String(),
    is_recurring: Type.Boolean(),
    subscription_id: Nullable(Type.String()),
    subscription_interval: Nullable(Type.String()),
    product_id: Nullable(Type.String()),
    line_items: Nullable(LineItems),
    is_test: Type.Boolean(),
    sale_date: Time,
    created_at: Time,
    commission_id: Nullable(Id),
  }),
})

/** A sale in the feed. */
export const SaleRow = Type.Object({
  id: Id,
  ...attribution,
  transaction_id: Type.String(),
  amount_cents: Type.Integer(),
  currency: Type.String(),
  sale_type: Type.String(),
  payment_status: Type.String(),
  is_recurring: Type.Boolean(),
  converts: Type.Boolean(), // the customer's first: its sale_date is first_purchase_date
  // The newest click of all when it was stored. Absent or null (older tracking): not known.
  last_click_event_id: Type.Optional(Nullable(Id)),
  ...origin,
  sale_date: Time,
  created_at: Time,
})

export type SaleRow = Static<typeof SaleRow>

/**
 * The id of the newest stored sale of any program, pending and test sales included; 0: there is
 * none. Each sale stored after the reply has a greater id. Faults: none.
 */
export const findLastSale = operation("tracking.sale.find_last", {
  request: Type.Object({}),
  reply: Type.Object({ sale_id: Type.Integer() }),
})
