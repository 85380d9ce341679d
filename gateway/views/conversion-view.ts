import { type Static, Type } from "@sinclair/typebox"
import { call } from "../../lib/bus/bus"
import type { ReplyOf } from "../../lib/bus/operation"
import { Fault } from "../../lib/fault"
import { Id, Nullable, OneOf, Time } from "../../lib/fields"
import { Commission, showSettlements } from "../../services/commissions/contract"
import type { Program } from "../../services/identity/contract"
import { PartnerSale } from "../../services/tracking/contract"
import { verdictOf, verdictWithoutCommission } from "./decision/verdict"

const { customer, code, sub_id } = PartnerSale.properties
const { amount_cents, currency, hold_ends_at } = Commission.properties

/**
 * A sale as its partner sees it. `status` is the commission's; `none`: the sale earned none, and the
 * sentence says why. `amount_cents` is what was earned, `net_cents` what refunds and a rejection left
 * of it. `transaction_id` is null if the program does not share it.
 */
export const ConversionView = Type.Object({
  id: Id, // of the sale
  at: Time,
  kind: OneOf("sale", "renewal"),
  status: OneOf("pending", "approved", "paid", "rejected", "reversed", "refunded", "none"),
  amount_cents,
  net_cents: Type.Integer(),
  currency,
  hold_ends_at: Nullable(hold_ends_at),
  customer,
  code, // of the link
  sub_id,
  transaction_id: Nullable(Type.String()),
  sentence: Type.String(),
})

export type ConversionView = Static<typeof ConversionView>

type Partner = { program_id: number; partner_id: number }
type Shared = Pick<Program, "share_sale_amount">
type Settled = ReplyOf<typeof showSettlements>

/** Adds to sales what has become of their commissions, in the sentence of their decision. */
export async function conversionViews(
  program: Shared,
  partner: Partner,
  sales: PartnerSale[],
): Promise<ConversionView[]> {
  const sale_ids = sales.map(({ id }) => id)
  const first_sale_ids = sales.flatMap(sale => sale.first_sale_id ?? [])
  const settled = await call(showSettlements, { ...partner, sale_ids, first_sale_ids })
  return sales.map(sale => conversionView(program, sale, settled))
}

function conversionView(
  { share_sale_amount }: Shared,
  sale: PartnerSale,
  { settlements, periods }: Settled,
): ConversionView {
  const { id, sale_date, first_sale_id, customer, code, sub_id, commission_id } = sale
  const settlement = settlements.find(({ sale_id }) => sale_id === id)
  if (commission_id !== null && settlement?.id !== commission_id) {
    throw new Fault("unavailable", "The commission of a sale cannot be shown now.")
  }
  const kind = first_sale_id === null ? "sale" : "renewal"
  const transaction_id = share_sale_amount ? sale.transaction_id : null
  const common = { customer, code, sub_id, transaction_id }
  const dated = { id, at: sale_date, kind } as const
  if (!settlement) {
    const { currency } = sale
    const period = periods.find(period => period.first_sale_id === first_sale_id)
    const { sentence } = verdictWithoutCommission(sale, period?.duration_months ?? null)
    const nothing = { status: "none", amount_cents: 0, net_cents: 0, hold_ends_at: null } as const
    return { ...dated, ...nothing, currency, ...common, sentence }
  }
  const { status, amount_cents, deducted_cents, currency, hold_ends_at } = settlement
  const net_cents = status === "rejected" ? 0 : amount_cents - deducted_cents
  const { sentence } = verdictOf(settlement)
  return { ...dated, status, amount_cents, net_cents, currency, hold_ends_at, ...common, sentence }
}
