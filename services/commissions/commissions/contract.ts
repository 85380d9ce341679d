import { type Static, Type } from "@sinclair/typebox"
import { operation } from "../../../lib/bus/operation"
import { Id, ListOf, Name, Nullable, OneOf, Reason, Slice, Time } from "../../../lib/fields"

/**
 * Creates the commission of a sale and books it to its partner (4.4). Asked again for the same
 * `sale_id`, it books nothing and answers the same. A renewal names its subscription's first sale,
 * whose policy says how long renewals earn (contract 4).
 * `commission_id` null: that time is over, and nothing was booked.
 * Faults: unavailable (the partner, or the first sale of the subscription, is not ready yet).
 */
export const createCommission = operation("commissions.commission.create", {
  request: Type.Object({
    sale_id: Id,
    program_id: Id,
    partner_id: Id,
    transaction_id: Type.String(),
    amount_cents: Type.Integer(), // of the sale
    currency: Type.String(),
    // That of fixed amounts, as this sale has fixed it. An older tracking leaves it to the program.
    program_currency: Type.Optional(Type.String()),
    product_id: Nullable(Type.String()),
    sale_date: Time,
    first_sale_id: Nullable(Id), // null: no renewal
  }),
  reply: Type.Object({ commission_id: Nullable(Id) }),
})

/**
 * Takes back what a sale earned, in proportion to the refund (4.5): status, ledger, balance and
 * notices in one transaction. The same `request_id` has the same answer.
 * `refund_amount_cents` null: all that is left. `sale_amount_cents` is the whole sale's.
 * Faults: invalid (more than the sale, or than remains).
 */
export const reverseCommission = operation("commissions.commission.reverse", {
  request: Type.Object({
    request_id: Type.String(),
    sale_id: Id,
    sale_amount_cents: Type.Integer(),
    refund_amount_cents: Nullable(Type.Integer()),
    refund_reason: Nullable(Type.String()),
    refund_id: Nullable(Name),
  }),
  reply: Type.Union([
    Type.Object({
      status: OneOf("reversed", "refunded"),
      commission_id: Id,
      deduction_cents: Type.Integer(), // before the clamp
      currency: Type.String(), // the commission's
    }),
    Type.Object({ status: Type.Literal("skipped"), commission_id: Id, reason: Type.String() }),
    Type.Object({ status: Type.Literal("no_commission") }),
  ]),
})

export const CommissionStatus = OneOf(
  "pending",
  "approved",
  "paid",
  "rejected",
  "reversed",
  "refunded",
)

/** A commission as it is shown (contract 3). */
export const Commission = Type.Object({
  id: Id,
  sale_id: Id,
  transaction_id: Type.String(),
  partner_id: Id,
  amount_cents: Type.Integer(), // as earned: refunds do not change it
  currency: Type.String(),
  status: CommissionStatus,
  refund_reason: Nullable(Type.String()),
  rejection_reason: Nullable(Type.String()),
  refunded_cents: Type.Integer(), // of the sale
  hold_ends_at: Time,
  policy_version: Type.Integer(),
  created_at: Time,
})

export type Commission = Static<typeof Commission>

export const CommissionFilter = Type.Object({
  status: Type.Optional(CommissionStatus),
  partner_id: Type.Optional(Id),
})

/** The commissions of a program, newest first. Faults: none. */
export const listCommissions = operation("commissions.commission.list", {
  request: Type.Object({ program_id: Id, filter: CommissionFilter, slice: Slice }),
  reply: ListOf(Commission),
})

/** Faults: missing. */
export const showCommission = operation("commissions.commission.show", {
  request: Type.Object({ program_id: Id, commission_id: Id }),
  reply: Commission,
})

const Settled = Type.Object({ program_id: Id, commission_id: Id })

/** From pending to approved, whatever its hold. Safe to repeat. Faults: missing, conflict. */
export const approveCommission = operation("commissions.commission.approve", {
  request: Settled,
  reply: Commission,
})

/** The body of POST …/reject. */
export const Rejection = Type.Object({
  reason: Type.Optional(Nullable(Reason)),
})

/**
 * From pending or approved to rejected: it is taken off the balance, and the partner is told why.
 * Repeated, it keeps the first reason. Faults: missing, conflict.
 */
export const rejectCommission = operation("commissions.commission.reject", {
  request: Type.Composite([Settled, Rejection]),
  reply: Commission,
})

/**
 * From approved to paid: taken off the balance, and the partner is told. Safe to repeat.
 * Faults: missing, conflict.
 */
export const markCommissionPaid = operation("commissions.commission.mark_paid", {
  request: Settled,
  reply: Commission,
})

/** A commission as it was created: refunds do not change what reporting shows. */
export const CommissionRow = Type.Object({
  id: Id,
  program_id: Id,
  partner_id: Id,
  sale_id: Id,
  amount_cents: Type.Integer(),
  currency: Type.String(),
  created_at: Time,
})

export type CommissionRow = Static<typeof CommissionRow>

export const BookedCommission = Type.Object({
  sale_id: Id,
  commission_id: Id,
  program_id: Id,
  partner_id: Id,
  transaction_id: Type.String(),
})

export type BookedCommission = Static<typeof BookedCommission>

/** Commissions by their sales, as tracking must match them. */
export const listBookedCommissions = operation("commissions.commission.list_booked", {
  request: Type.Object({
    after_sale_id: Type.Integer(),
    through_sale_id: Type.Integer(),
    limit: Type.Integer(),
  }),
  reply: Type.Array(BookedCommission),
})
