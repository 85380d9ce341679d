import { amountText } from "../../../lib/money"
import type { ExplainedCommission } from "../../../services/commissions/contract"
import type { Verdict } from "./schema"
import { because, countText, dayText } from "./texts"

/** What a verdict depends on. */
export type Settlement = Pick<
  ExplainedCommission,
  | "status"
  | "amount_cents"
  | "currency"
  | "deducted_cents"
  | "auto_approve"
  | "hold_ends_at"
  | "approved_at"
  | "paid_at"
  | "rejection_reason"
>

/** What became of a commission, in the sentence that advertiser and partner both read. */
export function verdictOf(commission: Settlement, now = Date.now()): Verdict {
  const { status, amount_cents, deducted_cents, currency } = commission
  const text = (cents: number) => amountText(cents, currency)
  const restCents = amount_cents - deducted_cents

  if (status === "paid") return verdict("paid", `Earned and paid: ${text(amount_cents)}.`)
  if (status === "rejected") {
    const { rejection_reason } = commission
    return verdict("withheld", `Not paid: the advertiser rejected it.${because(rejection_reason)}`)
  }
  if (commission.paid_at !== null) {
    const deduction = `a refund afterwards took ${text(deducted_cents)} off the balance`
    return verdict(restCents > 0 ? "paid" : "withheld", `Paid ${text(amount_cents)}; ${deduction}.`)
  }
  if (status === "reversed" || (restCents === 0 && deducted_cents > 0)) {
    return verdict("withheld", "Not paid: the sale was refunded.")
  }
  return unpaid(
    commission,
    `Earned ${text(restCents)}${status === "refunded" ? " after a partial refund" : ""}`,
    now,
  )
}

/** Of a commission that may still be paid. */
function unpaid(commission: Settlement, earned: string, now: number): Verdict {
  const { status, auto_approve, hold_ends_at, approved_at } = commission
  const isOnHold = Date.parse(hold_ends_at) > now
  if (status === "approved" || (status === "refunded" && approved_at !== null)) {
    return verdict("payable", `${earned}: approved, not paid yet.`, { what: "payment", at: null })
  }
  if (!auto_approve) {
    const next = status === "pending" ? ({ what: "approval", at: null } as const) : null
    return verdict("pending", `${earned}: waiting for the advertiser's approval.`, next)
  }
  if (isOnHold) {
    const next = { what: "hold_ends", at: hold_ends_at } as const
    return verdict("pending", `${earned}: on hold until ${dayText(hold_ends_at)}.`, next)
  }
  if (status === "pending") {
    const next = { what: "hold_ends", at: hold_ends_at } as const
    return verdict("pending", `${earned}: the hold has ended, approval follows.`, next)
  }
  return verdict("payable", `${earned}: not paid yet.`, { what: "payment", at: null })
}

/** Why a sale earned no commission. `duration_months` null: it was not a renewal. */
export function verdictWithoutCommission(
  { is_attributed, window_days }: { is_attributed: boolean; window_days: number },
  duration_months: number | null,
): Verdict {
  if (!is_attributed) {
    const window = countText(window_days, "day")
    return verdict("none", `No commission: the attribution window of ${window} had ended.`)
  }
  const period =
    duration_months === 0 || duration_months === null
      ? "only the first payment of a subscription earns"
      : `renewals earn for ${countText(duration_months, "month")}`
  return verdict("none", `No commission: ${period}.`)
}

export const verdict = (
  outcome: Verdict["outcome"],
  sentence: string,
  next: Verdict["next"] = null,
): Verdict => ({ outcome, sentence, next })
