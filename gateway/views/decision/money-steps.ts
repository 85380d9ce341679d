import { amountText, majorText } from "../../../lib/money"
import type { ExplainedCommission } from "../../../services/commissions/contract"
import type { ExplainedSale } from "../../../services/tracking/contract"
import { step } from "./attribution-steps"
import type { Decision, DecisionStep } from "./schema"
import { because, dayText, rateText } from "./texts"

const RULES = ["policy", "amount", "hold", "approval", "refunds", "rejection"] as const

/** The steps of a commission, or of none. */
export function moneySteps(
  sale: ExplainedSale | null,
  commission: ExplainedCommission | null,
): DecisionStep[] {
  if (!sale || !commission) {
    const why = sale ? "The sale earned no commission." : "No sale has been recorded yet."
    return RULES.map(rule => step(rule, "not_asked", why))
  }
  return [
    policyStep(commission, sale),
    amountStep(commission, sale),
    holdStep(commission),
    approvalStep(commission),
    refundsStep(commission),
    rejectionStep(commission),
  ]
}

/** What the ledger entries of a commission add up to. */
export function amountsOf({ entries, currency }: ExplainedCommission): Decision["amounts"] {
  const sum = (...kinds: string[]) =>
    entries
      .filter(({ kind }) => kinds.includes(kind))
      .reduce((cents, { amount_cents }) => cents + amount_cents, 0)
  return {
    earned_cents: sum("commission"),
    deducted_cents: 0 - sum("deduction", "rejection"),
    clamped_cents: sum("clamp"),
    paid_cents: 0 - sum("payout"),
    currency,
  }
}

function policyStep(commission: ExplainedCommission, sale: ExplainedSale) {
  const { group_id, group_name, policy_version, rate_bps, fixed_cents, is_of_product } = commission
  const what = is_of_product ? "this product" : "each sale"
  const pays =
    rate_bps === null
      ? `${amountText(fixed_cents ?? 0, commission.currency)} for ${what}`
      : `${rateText(rate_bps)} of ${what}`
  const sentence = `Version ${policy_version} of the policy pays ${pays}.`
  const product_id = is_of_product ? sale.product_id : null
  const terms = { rate_bps, fixed_cents, product_id }
  const facts = { group_id, group_name, policy_version, ...terms }
  return step("policy", "applied", sentence, commission.created_at, facts)
}

function amountStep(commission: ExplainedCommission, sale: ExplainedSale) {
  const { amount_cents, currency, rate_bps, created_at } = commission
  const amount = amountText(amount_cents, currency)
  const [sentence, formula] =
    rate_bps === null
      ? [`The fixed amount is ${amount}.`, majorText(amount_cents, currency)]
      : [
          `${rateText(rate_bps)} of the sale is ${amount}.`,
          `${majorText(sale.amount_cents, sale.currency)} × ${rateText(rate_bps)} = ${majorText(amount_cents, currency)}`,
        ]
  return step("amount", "applied", sentence, created_at, { amount_cents, currency, formula })
}

function holdStep({ hold_days, hold_ends_at, status, approved_at }: ExplainedCommission) {
  const facts = { hold_days }
  if (hold_days === 0) return step("hold", "passed", "There is no hold.", null, facts)
  const day = dayText(hold_ends_at)
  if (approved_at !== null && approved_at < hold_ends_at) {
    return step("hold", "passed", `It was approved before the hold ended on ${day}.`, null, facts)
  }
  if (Date.parse(hold_ends_at) <= Date.now()) {
    return step("hold", "passed", `The hold ended on ${day}.`, hold_ends_at, facts)
  }
  return status === "pending" || status === "refunded"
    ? step("hold", "waiting", `On hold until ${day}.`, hold_ends_at, facts)
    : step("hold", "not_asked", `The hold was to last until ${day}.`, hold_ends_at, facts)
}

function approvalStep(commission: ExplainedCommission) {
  const { auto_approve, approved_at, hold_ends_at, status, paid_at } = commission
  const facts = { auto_approve }
  if (approved_at !== null) {
    const isByHold = auto_approve && approved_at >= hold_ends_at
    const who = isByHold ? "Approved by itself" : "The advertiser approved it"
    return step("approval", "passed", `${who} on ${dayText(approved_at)}.`, approved_at, facts)
  }
  if (status === "approved" || paid_at !== null) {
    return step("approval", "passed", "It was approved.", null, facts)
  }
  if (status === "pending") {
    const sentence = auto_approve
      ? "It is approved by itself when the hold ends."
      : "It waits for the advertiser's approval."
    return step("approval", "waiting", sentence, null, facts)
  }
  return step("approval", "not_asked", "It had not been approved before.", null, facts)
}

function refundsStep(commission: ExplainedCommission) {
  const { entries, currency, refund_reason: reason } = commission
  const deductions = entries.filter(({ kind }) => kind === "deduction")
  if (deductions.length === 0) return step("refunds", "passed", "Nothing was refunded.")

  const { deducted_cents, clamped_cents } = {
    deducted_cents: commission.deducted_cents,
    clamped_cents: amountsOf(commission).clamped_cents,
  }
  const clamped =
    clamped_cents > 0
      ? ` The balance was kept from falling below zero: ${amountText(clamped_cents, currency)} of it was given back.`
      : ""
  const sentence = `Refunds took ${amountText(deducted_cents, currency)} off.${clamped}${because(reason)}`
  const facts = { deducted_cents, clamped_cents, reason }
  return step("refunds", "applied", sentence, deductions.at(-1)!.at, facts)
}

function rejectionStep({ status, rejection_reason: reason, entries }: ExplainedCommission) {
  if (status !== "rejected") return step("rejection", "passed", "It was not rejected.")
  const at = entries.find(({ kind }) => kind === "rejection")?.at ?? null
  const sentence = `The advertiser rejected it.${because(reason)}`
  return step("rejection", "failed", sentence, at, { reason })
}
