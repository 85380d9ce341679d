import { learned, text } from "../match"
import { newMoment } from "../moment"
import { major } from "../money"
import { book, rules } from "../rules"
import type { Commission, Program } from "../state"
import { notify } from "./notices"
import type { Operation } from "./operation"

const error = { error: text() }

export function refund(program: Program): Operation {
  const { random } = program
  const sale = random.happens(0.95) && program.sales.length ? pickSale(program) : null
  const commission = sale?.commission ?? null
  const amount = sale ? randomAmount(program, sale.amount_cents, commission) : undefined
  const refund_id = random.happens(0.5) ? `part ${random.below(6)}` : undefined
  const refund_reason = random.happens(0.5) ? `Reason ${++program.serial}` : undefined
  const malformed = random.happens(0.05) && !refund_reason ? { refund_reason: 7 } : {} // absent
  const at = newMoment()
  const transaction_id = sale?.transaction_id ?? `none ${program.number}`
  const request = {
    kind: "refund",
    method: "POST",
    path: random.happens(0.9) ? "/api/v1/track/refund" : "/api/tracking/refund",
    token: program.api_token,
    body: { transaction_id, refund_amount_cents: amount, refund_id, refund_reason, ...malformed },
    about: [`transaction ${transaction_id}`, `partner ${commission?.partner.id}`],
    at,
  }
  if (!sale) return { ...request, status: 404, expected: error }
  if (!commission) {
    const expected = { success: true, status: "no_commission", message: text() }
    return { ...request, status: 200, expected }
  }
  const skipped = {
    success: true,
    status: "skipped",
    reason: text(),
    commission_id: learned(commission, "id"),
  }
  if (isSkipped(commission, refund_id)) return { ...request, status: 200, expected: skipped }
  const remaining = sale.amount_cents - commission.refunded_cents
  if (amount && amount > remaining) return { ...request, status: 400, expected: error }

  const status = amount ? ("refunded" as const) : ("reversed" as const)
  const refunded_cents = amount ? commission.refunded_cents + amount : sale.amount_cents
  const total_cents = rules.share(commission.amount_cents, refunded_cents, sale.amount_cents)
  const deduction_cents = total_cents - commission.deducted_cents
  return {
    ...request,
    status: 200,
    expected: {
      success: true,
      status,
      deductionAmount: major(deduction_cents, commission.currency),
      commission_id: learned(commission, "id"),
    },
    repeated: { status: 200, expected: skipped },
    apply: () => {
      commission.status = status
      commission.refunded_cents = refunded_cents
      commission.isFinal = !refund_id || refunded_cents === sale.amount_cents
      commission.deducted_cents = total_cents
      if (refund_id) commission.refund_ids.push(refund_id)
      if (refund_reason) commission.refund_reason = refund_reason
      deduct(commission, deduction_cents)
      notify(program, commission, status, deduction_cents, refund_reason, at)
    },
  }
}

function isSkipped(commission: Commission, refund_id: string | undefined): boolean {
  if (["reversed", "rejected"].includes(commission.status)) return true
  if (commission.status !== "refunded") return false
  return commission.isFinal || !refund_id || commission.refund_ids.includes(refund_id)
}

function deduct(commission: Commission, deduction_cents: number) {
  const balance_cents = commission.partner.balances.get(commission.currency) ?? 0
  book(commission, "deduction", 0 - deduction_cents)
  if (commission.wasPaid) return
  const clamp_cents = rules.clamp(balance_cents, deduction_cents)
  if (clamp_cents > 0) book(commission, "clamp", clamp_cents)
}

/** Sales that were partly refunded, or whose commission was paid, come more often. */
function pickSale({ random, sales }: Program) {
  const status = random.pick(["refunded", "paid", null])
  const preferred = sales.filter(({ commission }) => commission?.status === status)
  return random.pick(preferred.length ? preferred : sales)
}

function randomAmount({ random }: Program, sale_cents: number, commission: Commission | null) {
  const remaining = sale_cents - (commission?.refunded_cents ?? 0)
  const dice = random.fraction()
  if (dice < 0.2) return undefined
  if (dice < 0.25) return 0
  if (dice < 0.35) return Math.max(1, remaining)
  if (dice < 0.45 && commission) return remaining + 1 + random.below(100)
  return 1 + random.below(Math.max(1, remaining))
}
