import { call } from "../../../lib/bus/bus"
import { Fault } from "../../../lib/fault"
import { explainCommission } from "../../../services/commissions/contract"
import { type DecisionSubject, explainSale } from "../../../services/tracking/contract"
import { attributionSteps } from "./attribution-steps"
import { amountsOf, moneySteps } from "./money-steps"
import type { Decision } from "./schema"
import { verdict, verdictOf, verdictWithoutCommission } from "./verdict"

type Question = { program: { id: number; currency: string }; subject: DecisionSubject }

/**
 * Explains a sale from what tracking stored with it and commissions stored of it. `partner_id` null:
 * for the advertiser; else only sales of this partner exist. Throws "missing".
 */
export async function decide(
  { program, subject }: Question,
  partner_id: number | null = null,
): Promise<Decision> {
  const explained = await call(explainSale, { program_id: program.id, partner_id, subject })
  const { sale } = explained
  const { commission, period } = sale
    ? await call(explainCommission, {
        program_id: program.id,
        sale_id: sale.id,
        product_id: sale.product_id,
        first_sale_id: sale.first_sale_id,
      })
    : { commission: null, period: null }
  if (sale && sale.commission_id !== (commission?.id ?? null)) {
    throw new Fault("unavailable", "The commission of this sale cannot be shown now.")
  }
  const settled = commission
    ? verdictOf(commission)
    : sale
      ? verdictWithoutCommission(sale, period?.duration_months ?? null)
      : verdict("none", "No sale has been recorded yet.")
  return {
    subject: {
      sale_id: sale?.id ?? null,
      transaction_id: sale?.transaction_id ?? null,
      commission_id: commission?.id ?? null,
      partner_id: explained.partner_id,
      customer_key: explained.customer_key,
    },
    sales: explained.sales,
    ...settled,
    amounts: commission
      ? amountsOf(commission)
      : {
          earned_cents: 0,
          deducted_cents: 0,
          clamped_cents: 0,
          paid_cents: 0,
          currency: sale?.currency ?? program.currency,
        },
    steps: [
      ...attributionSteps(program.id, explained, commission, period),
      ...moneySteps(sale, commission),
    ],
  }
}
