import { type Static, Type } from "@sinclair/typebox"
import { operation } from "../../../lib/bus/operation"
import { Id, ListOf, Nullable, OneOf, Slice, Time } from "../../../lib/fields"

/**
 * What a partner has earned in one currency, by its state. owed = pending + held + payable, and
 * earned = owed + in_flight + paid. `next_approval`: the pending commissions whose hold ends next,
 * those of one UTC day together; null: none is approved by itself.
 */
export const Balance = Type.Object({
  currency: Type.String(),
  owed_cents: Type.Integer(),
  pending_cents: Type.Integer(),
  held_cents: Type.Integer(), // 0: nothing can be held yet
  payable_cents: Type.Integer(),
  drafted_cents: Type.Integer(), // 0: there are no payout batches yet
  in_flight_cents: Type.Integer(), // 0: likewise
  paid_cents: Type.Integer(),
  earned_cents: Type.Integer(),
  next_approval: Nullable(Type.Object({ at: Time, amount_cents: Type.Integer() })),
})

export type Balance = Static<typeof Balance>

/**
 * The balances of a partner by currency: those of one program, or of all programs of an account.
 * Faults: none.
 */
export const showBalances = operation("commissions.balance.show", {
  request: Type.Object({
    of: Type.Union([
      Type.Object({ program_id: Id, partner_id: Id }),
      Type.Object({ account_id: Id }),
    ]),
  }),
  reply: Type.Object({ balances: Type.Array(Balance) }),
})

/**
 * A transfer between the accounts of a partner in a program: its legs add up to 0. `sale_id`: the
 * sale that it is about. `refund_id`: the refund that caused it; null: none did. `payout_item_id`
 * and `note` are null today.
 */
export const LedgerEntry = Type.Object({
  id: Id,
  at: Time,
  kind: OneOf("commission", "deduction", "rejection", "payout", "clamp"),
  currency: Type.String(),
  legs: Type.Array(
    Type.Object({ account: OneOf("cost", "owed", "paid"), amount_cents: Type.Integer() }),
  ),
  commission_id: Id,
  sale_id: Id,
  refund_id: Nullable(Id),
  payout_item_id: Nullable(Id),
  note: Nullable(Type.String()),
})

export type LedgerEntry = Static<typeof LedgerEntry>

/**
 * The ledger entries of a partner in a program, newest first; `commission_id`: only of this
 * commission. Faults: none.
 */
export const listLedger = operation("commissions.ledger.list", {
  request: Type.Object({
    program_id: Id,
    partner_id: Id,
    commission_id: Type.Optional(Id),
    currency: Type.Optional(Type.String()),
    slice: Slice,
  }),
  reply: ListOf(LedgerEntry),
})
