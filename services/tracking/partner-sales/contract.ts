import { type Static, Type } from "@sinclair/typebox"
import { operation } from "../../../lib/bus/operation"
import { Id, ListOf, Nullable, Slice, Time } from "../../../lib/fields"

/**
 * A sale as far as its partner may know it. `customer`: an alias that means nothing to others.
 * `first_sale_id` null: not a renewal. `commission_id` null: it earned none, because the attribution
 * window had ended (not `is_attributed`) or the earning period of its subscription.
 */
export const PartnerSale = Type.Object({
  id: Id,
  sale_date: Time,
  currency: Type.String(),
  customer: Type.String(),
  code: Type.String(), // of the link
  sub_id: Nullable(Type.String()),
  transaction_id: Type.String(), // for programs that share it
  first_sale_id: Nullable(Id),
  is_attributed: Type.Boolean(),
  window_days: Type.Integer(),
  commission_id: Nullable(Id),
})

export type PartnerSale = Static<typeof PartnerSale>

/** `from` and `to` are included. `is_unpaid`: only sales without commission. */
const PartnerSaleFilter = Type.Object({
  from: Type.Optional(Time),
  to: Type.Optional(Time),
  is_unpaid: Type.Optional(Type.Boolean()),
})

/** The complete sales of a partner in a program, newest first. Faults: none. */
export const listPartnerSales = operation("tracking.partner_sale.list", {
  request: Type.Object({ program_id: Id, partner_id: Id, filter: PartnerSaleFilter, slice: Slice }),
  reply: ListOf(PartnerSale),
})

/** Those of these sales that are a partner's, newest first. Faults: none. */
export const showPartnerSales = operation("tracking.partner_sale.show", {
  request: Type.Object({
    program_id: Id,
    partner_id: Id,
    sale_ids: Type.Array(Id, { maxItems: 100 }),
  }),
  reply: Type.Object({ sales: Type.Array(PartnerSale) }),
})
