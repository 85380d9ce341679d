import { type Static, Type } from "@sinclair/typebox"
import { operation } from "../../../lib/bus/operation"
import { Id, Nullable, Slice, Time } from "../../../lib/fields"
import { Commission, CommissionStatus } from "../commissions/contract"

const { id, sale_id, status, amount_cents, currency, hold_ends_at, rejection_reason } =
  Commission.properties

/** What has become of a commission: all that its sentence depends on. */
export const Settlement = Type.Object({
  id,
  sale_id,
  status,
  amount_cents, // as earned
  currency,
  deducted_cents: Type.Integer(), // by refunds, before any clamp
  auto_approve: Type.Boolean(), // false: waits for manual approval
  hold_ends_at,
  approved_at: Nullable(Time), // null: never, or by a version that did not store it
  paid_at: Nullable(Time),
  rejection_reason,
})

export type Settlement = Static<typeof Settlement>

/**
 * What has become of the commissions of these sales of a partner; sales without one are left out.
 * `periods`: how many months renewals earn, by the first sale of their subscription (null: for life).
 * Faults: none.
 */
export const showSettlements = operation("commissions.settlement.show", {
  request: Type.Object({
    program_id: Id,
    partner_id: Id,
    sale_ids: Type.Array(Id, { maxItems: 100 }),
    first_sale_ids: Type.Array(Id, { maxItems: 100 }),
  }),
  reply: Type.Object({
    settlements: Type.Array(Settlement),
    periods: Type.Array(
      Type.Object({ first_sale_id: Id, duration_months: Nullable(Type.Integer()) }),
    ),
  }),
})

/**
 * The sales of a partner whose commissions have this status, newest first. `from` and `to` are the
 * bounds of the time of the sale, included. Faults: none.
 */
export const listSettledSales = operation("commissions.settled_sale.list", {
  request: Type.Object({
    program_id: Id,
    partner_id: Id,
    status: CommissionStatus,
    from: Type.Optional(Time),
    to: Type.Optional(Time),
    slice: Slice,
  }),
  reply: Type.Object({ sale_ids: Type.Array(Id), total: Type.Integer() }),
})
