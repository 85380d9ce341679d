import { type Moment, momentBeside } from "../moment"
import { majorText } from "../money"
import type { Commission, Program } from "../state"

/** Tells the partner of a step, and the advertiser of a refund after the payment. */
export function notify(
  program: Program,
  commission: Commission,
  step: "reversed" | "refunded" | "rejected" | "paid",
  amount_cents: number,
  reason: string | undefined,
  at: Moment,
) {
  const { partner, currency } = commission
  const mentions = [`${majorText(amount_cents, currency)} ${currency}`]
  if (reason) mentions.push(reason)
  const notice = { id: 0, commission, mentions }
  partner.notices.push({ ...notice, kind: `commission_${step}`, at: momentBeside(at) })
  if (!commission.wasPaid || step === "paid") return
  program.notices.push({ ...notice, kind: "paid_commission_refunded", at: momentBeside(at) })
}
