import { type Static, Type } from "@sinclair/typebox"
import { operation } from "../../../lib/bus/operation"
import { Cents, Flag, Id, Name, Nullable, OneOf, Reason, Time } from "../../../lib/fields"
import { TestMode } from "../additional-data"
import { attribution, origin } from "../attribution"

export const SaleFields = {
  transaction_id: Name,
  amount_cents: Cents,
  customer_key: Type.Optional(Name), // wins over click_id
  click_id: Type.Optional(Name),
  currency: Type.Optional(
    Type.String({ pattern: "^[A-Za-z]{3}$", description: "an ISO 4217 code like USD" }),
  ),
  sale_type: Type.Optional(OneOf("payment", "subscription")),
  line_items: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), { description: "an object" }),
  ),
  is_recurring: Type.Optional(Flag),
  subscription_id: Type.Optional(Name),
  subscription_interval: Type.Optional(OneOf("monthly", "quarterly", "annual")),
  product_id: Type.Optional(Name),
  additional_data: Type.Optional(Type.Object(TestMode, { description: "an object" })),
}

/** The body of POST /track/sale (specification 4.4). Its names reach down into the table. */
export const Sale = Type.Object(SaleFields)

export type Sale = Static<typeof Sale>

/** The body of POST /track/refund (specification 4.5). An amount of 0, or none: all of it. */
export const Refund = Type.Object({
  transaction_id: Name,
  refund_amount_cents: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: "0 or a positive integer, in the smallest unit of the currency",
    }),
  ),
  refund_reason: Type.Optional(Reason),
  refund_id: Type.Optional(Name), // tells several partial refunds of one sale apart
  additional_data: Type.Optional(Type.Object(TestMode, { description: "an object" })),
})

export type Refund = Static<typeof Refund>

/** Why a sale earned no commission. */
const NoCommissionReason = OneOf("attribution_window_expired", "commission_duration_ended")

/**
 * Records a sale of `program_id` and the commission it earns, once for each transaction_id (4.4).
 * `request_id` names the HTTP request. Under the same one, the same question has the same answer;
 * of several that race, one is told of success and the others "duplicate".
 * `commission_id` null: none was earned, and `reason` says why.
 * Faults: invalid (no such customer, or another program's, or without a partner), duplicate,
 * failed (no commission yet) and unavailable (in doubt): after these two, try again.
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
 * Refunds a sale of `program_id`, in whole or in part, and takes back what it earned (4.5).
 * The same `request_id` has the same answer. `deduction_cents` is in `currency`, before the clamp.
 * Faults: missing (no such sale in the program), invalid (more than the sale, or than remains),
 * failed and unavailable: try again.
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

/** Everything stored of a sale (contract 3). Faults: missing. */
export const showSale = operation("tracking.sale.show", {
  request: Type.Object({ program_id: Id, sale_id: Id }),
  reply: Type.Object({
    id: Id,
    transaction_id: Nullable(Type.String()), // null: a test sale may have none
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
    line_items: Nullable(Type.Record(Type.String(), Type.Unknown())),
    is_test: Type.Boolean(),
    sale_date: Time,
    created_at: Time,
    commission_id: Nullable(Id),
  }),
})

export const SaleRow = Type.Object({
  id: Id,
  ...attribution,
  transaction_id: Type.String(),
  amount_cents: Type.Integer(),
  currency: Type.String(),
  sale_type: Type.String(),
  payment_status: Type.String(),
  is_recurring: Type.Boolean(),
  converts: Type.Boolean(), // it was its customer's first: first_purchase_date is sale_date
  ...origin,
  sale_date: Time,
  created_at: Time,
})

export type SaleRow = Static<typeof SaleRow>

export const BookedSale = Type.Object({
  sale_id: Id,
  program_id: Id,
  partner_id: Id,
  transaction_id: Type.String(),
  commission_id: Nullable(Id),
  is_complete: Type.Boolean(), // else it may have a commission already, and does not know it
})

export type BookedSale = Static<typeof BookedSale>

/** Sales by id, test sales left out, as commissions must match them. */
export const listBookedSales = operation("tracking.sale.list_booked", {
  request: Type.Object({ after_id: Type.Integer(), limit: Type.Integer() }),
  reply: Type.Array(BookedSale),
})
