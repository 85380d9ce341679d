import type { Random } from "../../lib/random"
import { REFUND_REASONS, REJECTION_REASONS } from "./shop"
import { DAY_MS } from "./visitors"

const HOUR_MS = DAY_MS / 24
const REFUND_RATE = 0.06
const PART_RATE = 0.3 // of refunds
const REJECTION_RATE = 0.1 // of reviewed commissions
const REVIEWED_DAYS_AGO = [83, 76, 69, 62, 55, 48, 41, 34, 27, 20, 13, 6] // later ones still wait
const PAID_DAYS_AGO = [60, 32, 5]
const LATE_REFUND_DAYS_AGO = 2 // of a commission that was paid

export type Commission = {
  id: number
  partner_id: number
  transaction_id: string
  sale_amount_cents: number
  amount_cents: number
  created_at: number
  hold_ends_at: number
  auto_approve: boolean
  status: "pending" | "approved" | "paid" | "rejected" | "reversed" | "refunded"
  approved_at: number | null
  paid_at: number | null
  refunded_cents: number
  deducted_cents: number
  refund_reason: string | null
  rejection_reason: string | null
}

/** What happened to a commission, and what it moved. `clamp_cents`: see behaviour 6.5. */
export type Step = Plan & { amount_cents: number; clamp_cents: number; was_paid: boolean }
type Plan = {
  at: number
  commission: Commission
  kind: "earn" | "approve" | "reject" | "pay" | "refund"
  reason: string | null
  refund_cents: number // of the sale
}

/**
 * Decides about the commissions of the past by the rules of the API: reviews, payouts and refunds
 * in the order of their times. Sets the status of each commission, and returns what happened.
 */
export function decide(random: Random, commissions: Commission[], now: number): Step[] {
  const balances = new Map<number, number>()
  const plans = commissions.flatMap(commission => plansFor(random, commission, now))
  plans.push(...lateRefund(commissions, plans, now))
  const steps = plans
    .sort((one, other) => one.at - other.at || one.commission.id - other.commission.id)
    .flatMap(plan => take(plan, balances))
  for (const commission of commissions) approveIfDue(commission, now)
  return steps
}

function plansFor(random: Random, commission: Commission, now: number): Plan[] {
  const { created_at, sale_amount_cents, auto_approve } = commission
  const plan = { commission, reason: null, refund_cents: 0 }
  const plans: Plan[] = [{ ...plan, at: created_at, kind: "earn" }]

  const review = timesOf(REVIEWED_DAYS_AGO, now, 10).find(time => time > created_at)
  if (!auto_approve && review) {
    const isRejected = random.happens(REJECTION_RATE)
    const reason = isRejected ? random.pick(REJECTION_REASONS) : null
    plans.push({ ...plan, at: review, kind: isRejected ? "reject" : "approve", reason })
  }
  for (const at of timesOf(PAID_DAYS_AGO, now, 9)) {
    if (at > created_at) plans.push({ ...plan, at, kind: "pay" })
  }
  const returned = created_at + Math.floor((1 + 11 * random.fraction()) * DAY_MS)
  if (random.happens(REFUND_RATE) && returned < now) {
    const part = random.happens(PART_RATE) ? 0.5 : 1
    const refund_cents = Math.round(sale_amount_cents * part)
    plans.push({
      ...plan,
      at: returned,
      kind: "refund",
      reason: random.pick(REFUND_REASONS),
      refund_cents,
    })
  }
  return plans
}

/** The refund of one commission after its payout, so that the advertiser has a warning. */
function lateRefund(commissions: Commission[], plans: Plan[], now: number): Plan[] {
  const refunded = new Set(
    plans.filter(({ kind }) => kind === "refund").map(plan => plan.commission),
  )
  const payout = timesOf(PAID_DAYS_AGO, now, 9).at(-1)!
  const commission = commissions.findLast(
    each => each.auto_approve && each.hold_ends_at < payout && !refunded.has(each),
  )
  if (!commission) return []
  const at = now - LATE_REFUND_DAYS_AGO * DAY_MS
  const { sale_amount_cents: refund_cents } = commission
  return [{ at, commission, kind: "refund", reason: REFUND_REASONS[0]!, refund_cents }]
}

const timesOf = (days: number[], now: number, hour: number) =>
  days.map(day => now - (now % DAY_MS) - day * DAY_MS + hour * HOUR_MS)

/** Takes a step if the status of the commission allows it. */
function take(plan: Plan, balances: Map<number, number>): Step[] {
  const { at, commission, kind, reason, refund_cents } = plan
  approveIfDue(commission, at)
  const { partner_id, status, paid_at } = commission
  const balance = balances.get(partner_id) ?? 0
  let amount_cents = 0
  let clamp_cents = 0

  if (kind === "earn") amount_cents = commission.amount_cents
  else if (kind === "approve" && status === "pending") approve(commission, at)
  else if (kind === "reject" && (status === "pending" || status === "approved")) {
    amount_cents = -commission.amount_cents
    Object.assign(commission, { status: "rejected", rejection_reason: reason })
  } else if (kind === "pay" && status === "approved") {
    amount_cents = -commission.amount_cents
    Object.assign(commission, { status: "paid", paid_at: at })
  } else if (kind === "refund" && status !== "rejected") {
    amount_cents = -refund(commission, refund_cents, reason)
    if (!paid_at) clamp_cents = Math.min(0, balance) - Math.min(0, balance, balance + amount_cents)
  } else return []

  balances.set(partner_id, balance + amount_cents + clamp_cents)
  return [{ ...plan, amount_cents, clamp_cents, was_paid: paid_at !== null }]
}

/** Returns the part of the commission that the refund takes back. */
function refund(commission: Commission, refund_cents: number, refund_reason: string | null) {
  const { amount_cents, sale_amount_cents } = commission
  const deducted_cents = Math.round((amount_cents * refund_cents) / sale_amount_cents)
  const status = refund_cents === sale_amount_cents ? "reversed" : "refunded"
  Object.assign(commission, { status, refund_reason, deducted_cents, refunded_cents: refund_cents })
  return deducted_cents
}

function approveIfDue(commission: Commission, at: number) {
  const { status, auto_approve, hold_ends_at } = commission
  if (status === "pending" && auto_approve && hold_ends_at <= at) approve(commission, hold_ends_at)
}

const approve = (commission: Commission, approved_at: number) =>
  Object.assign(commission, { status: "approved", approved_at })
