import { type Static, Type } from "@sinclair/typebox"
import { operation } from "../../../lib/bus/operation"
import { Id, ListOf, Name, Nullable, OneOf, Slice, Time } from "../../../lib/fields"

/**
 * Creates the commission of a sale and books it to its partner (behaviour 6.1). A repeat with the same
 * sale books nothing and gets the same reply. A renewal names its subscription's first sale,
 * whose policy says how long renewals earn (behaviour 4.3.5).
 * `commission_id` null: renewals no longer earn, and nothing was booked.
 * Faults: unavailable (the partner, or the first sale of the subscription, is not ready yet; or
 * another sale is stored under this `sale_id`).
 */
export const createCommission = operation("commissions.commission.create", {
  request: Type.Object({
    sale_id: Id,
    program_id: Id,
    partner_id: Id,
    transaction_id: Type.String(),
    amount_cents: Type.Integer(), // of the sale
    currency: Type.String(),
    // Of fixed amounts, as this sale fixed it. Absent (older tracking): the program's.
    program_currency: Type.Optional(Type.String()),
    // Of the partner-program record, as the sale fixed it. Absent or null (older tracking): the last.
    partner_version: Type.Optional(Nullable(Id)),
    product_id: Nullable(Type.String()),
    sale_date: Time,
    first_sale_id: Nullable(Id), // null: not a renewal
  }),
  reply: Type.Object({ commission_id: Nullable(Id) }),
})

/**
 * Takes back what a sale earned, in proportion to the refund (behaviour 6.5): status, ledger, balance and
 * notifications in one transaction. A repeated `request_id` gets the same reply.
 * `refund_amount_cents` null: all that remains. `sale_amount_cents`: the amount of the whole sale.
 * Faults: invalid (the refund exceeds the sale, or what remains of it), unavailable (there is no
 * such commission, or it is of another sale).
 */
export const reverseCommission = operation("commissions.commission.reverse", {
  request: Type.Object({
    request_id: Type.String(),
    sale_id: Id,
    // Of the sale, to recognize another one under this id. Absent: an older version sent it.
    commission_id: Type.Optional(Id),
    program_id: Type.Optional(Id),
    partner_id: Type.Optional(Id),
    transaction_id: Type.Optional(Type.String()),
    sale_currency: Type.Optional(Type.String()),
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
    Type.Object({ status: Type.Literal("no_commission") }), // from an older version
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

/** A commission as the API shows it (behaviour 6.2). */
export const Commission = Type.Object({
  id: Id,
  sale_id: Id,
  transaction_id: Type.String(),
  partner_id: Id,
  partner_name: Type.String(), // as the program entered it
  group_id: Id, // whose policy it was created under
  amount_cents: Type.Integer(), // as earned: refunds do not change it
  currency: Type.String(),
  status: CommissionStatus,
  refund_reason: Nullable(Type.String()),
  rejection_reason: Nullable(Type.String()),
  refunded_cents: Type.Integer(), // of the sale
  net_cents: Type.Integer(), // amount_cents less deductions; 0 if it was rejected
  auto_approve: Type.Boolean(), // false: no hold approves it, a person must
  hold_ends_at: Time,
  policy_version: Type.Integer(),
  created_at: Time,
})

export type Commission = Static<typeof Commission>

/** Which commissions: those that match all that is given. */
export const CommissionFilter = Type.Object({
  commission_id: Type.Optional(Id),
  status: Type.Optional(CommissionStatus),
  partner_id: Type.Optional(Id),
  sale_id: Type.Optional(Id),
  created_from: Type.Optional(Time), // included
  created_to: Type.Optional(Time), // included
  // Pending, and approved by no hold; false: all others.
  needs_approval: Type.Optional(Type.Boolean()),
  // Of a sale in another currency than the program's; false: all others.
  is_other_currency: Type.Optional(Type.Boolean()),
})

export type CommissionFilter = Static<typeof CommissionFilter>

export const CommissionSort = OneOf(
  "created_at",
  "-created_at",
  "amount_cents",
  "-amount_cents",
  "hold_ends_at",
  "-hold_ends_at",
)

/** The commissions of a program, newest first unless `sort` says otherwise. Faults: none. */
export const listCommissions = operation("commissions.commission.list", {
  request: Type.Object({
    program_id: Id,
    filter: CommissionFilter,
    sort: Type.Optional(CommissionSort),
    slice: Slice,
  }),
  reply: ListOf(Commission),
})

/**
 * One commission of a program. Faults: missing; unavailable (it is not the commission of `sale_id`,
 * if given).
 */
export const showCommission = operation("commissions.commission.show", {
  request: Type.Object({ program_id: Id, commission_id: Id, sale_id: Type.Optional(Id) }),
  reply: Commission,
})

const CommissionKey = Type.Object({ program_id: Id, commission_id: Id })

/** Approves a pending commission, on hold or not. Safe to repeat. Faults: missing, conflict. */
export const approveCommission = operation("commissions.commission.approve", {
  request: CommissionKey,
  reply: Commission,
})

/** The body of POST …/reject. The partner reads the reason. */
export const Rejection = Type.Object({
  reason: Type.RegExp(/^[\s\S]{1,1024}$/u, {
    description: "a string of 1 to 1,024 characters",
  }),
})

/**
 * Rejects a pending or approved commission: takes it off the balance and notifies the partner of
 * the reason. A repeat keeps the first reason. Faults: missing, conflict.
 */
export const rejectCommission = operation("commissions.commission.reject", {
  request: Type.Composite([CommissionKey, Rejection]),
  reply: Commission,
})

/**
 * Marks an approved commission as paid: takes it off the balance and notifies the partner. Safe to
 * repeat. Faults: missing, conflict.
 */
export const markCommissionPaid = operation("commissions.commission.mark_paid", {
  request: CommissionKey,
  reply: Commission,
})

/** A commission as it was created. Refunds do not change what reports show. */
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
