import { type Static, Type } from "@sinclair/typebox"
import { operation } from "../../../lib/bus/operation"
import { Id, Nullable, OneOf, Time } from "../../../lib/fields"
import { CommissionStatus } from "../commissions/contract"

/** A ledger entry of the commission. Negative: taken off the balance. */
const BookedEntry = Type.Object({
  kind: OneOf("commission", "deduction", "rejection", "payout", "clamp"),
  amount_cents: Type.Integer(),
  at: Time,
})

/** What a sale earned, under which terms, and what has become of it. */
export const ExplainedCommission = Type.Object({
  id: Id,
  status: CommissionStatus,
  amount_cents: Type.Integer(), // as earned
  currency: Type.String(),
  auto_approve: Type.Boolean(), // false: waits for manual approval
  hold_ends_at: Time,
  approved_at: Nullable(Time), // null: never, or by a version that did not note it
  paid_at: Nullable(Time),
  refund_reason: Nullable(Type.String()),
  rejection_reason: Nullable(Type.String()),
  deducted_cents: Type.Integer(), // by refunds, before any clamp
  created_at: Time,
  group_id: Id,
  group_name: Type.String(),
  policy_version: Type.Integer(),
  // Of the policy, or of its terms for the sale's product.
  kind: OneOf("percent", "fixed"),
  rate_bps: Nullable(Type.Integer()), // null: a fixed amount
  fixed_cents: Nullable(Type.Integer()), // null: a percentage
  is_of_product: Type.Boolean(),
  hold_days: Type.Integer(),
  policy_auto_approve: Type.Boolean(), // false: all commissions of the policy wait for approval
  entries: Type.Array(BookedEntry), // oldest first
})

export type ExplainedCommission = Static<typeof ExplainedCommission>

/** How long the renewals of a subscription earn, by the policy of its first sale. */
export const EarningPeriod = Type.Object({
  first_sale_id: Id,
  duration_months: Nullable(Type.Integer()), // null: for life
  ends_at: Nullable(Time), // null: never
})

export type EarningPeriod = Static<typeof EarningPeriod>

/**
 * Explains the commission of a sale, as both are stored. `product_id` is the sale's, `first_sale_id`
 * that of the subscription it renews (null: no renewal). `commission` null: the sale earned none.
 * `period` null: the sale is not a renewal. Faults: none.
 */
export const explainCommission = operation("commissions.commission.explain", {
  request: Type.Object({
    program_id: Id,
    sale_id: Id,
    product_id: Nullable(Type.String()),
    first_sale_id: Nullable(Id),
  }),
  reply: Type.Object({
    commission: Nullable(ExplainedCommission),
    period: Nullable(EarningPeriod),
  }),
})

/** The commission of a sale as far as its verdict goes, and the refunds of the sale. */
export const JourneyCommission = Type.Object({
  ...Type.Pick(ExplainedCommission, [
    "id",
    "status",
    "amount_cents",
    "currency",
    "deducted_cents",
    "auto_approve",
    "hold_ends_at",
    "approved_at",
    "paid_at",
    "rejection_reason",
    "created_at",
  ]).properties,
  sale_id: Id,
  refunds: Type.Array(
    Type.Object({
      id: Id,
      at: Time,
      deduction_cents: Type.Integer(),
      reason: Nullable(Type.String()),
    }),
  ),
})

export type JourneyCommission = Static<typeof JourneyCommission>

/** What became of the commissions of these sales, without those that earned none. Faults: none. */
export const explainCommissions = operation("commissions.commission.explain_many", {
  request: Type.Object({ program_id: Id, sale_ids: Type.Array(Id) }),
  reply: Type.Object({ settled: Type.Array(JourneyCommission) }),
})
