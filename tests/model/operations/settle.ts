import { text } from "../match"
import { newMoment } from "../moment"
import { book, DAY_MS } from "../rules"
import type { Commission, Program, Status } from "../state"
import { commissionView } from "../views"
import type { World } from "../world"
import { management } from "./management"
import { notify } from "./notices"
import type { Operation } from "./operation"

const STEPS = {
  approve: { from: ["pending"], to: "approved" },
  reject: { from: ["pending", "approved"], to: "rejected" },
  "mark-paid": { from: ["approved"], to: "paid" },
} as const

export function settle(program: Program, world: World): Operation | null {
  const { random } = program
  const commissions = program.commissions.filter(commission => !isDue(commission, world))
  if (commissions.length === 0) return null
  const step = random.pick(["approve", "approve", "mark-paid", "mark-paid", "reject"] as const)
  const commission = random.happens(0.5) ? random.pick(commissions) : commissions.at(-1)!
  const isReasoned = step !== "reject" || random.happens(0.9)
  const reason = step === "reject" && isReasoned ? `Because ${++program.serial}` : undefined
  const at = newMoment()
  const request = {
    ...management(program, "POST", `/commissions/${commission.id}/${step}`, { reason }),
    kind: step,
    about: [`transaction ${commission.sale.transaction_id}`, `partner ${commission.partner.id}`],
    at,
  }
  if (!isReasoned) return { ...request, status: 400, expected: { error: text() } }
  if (program.status === "archived" && step !== "mark-paid") {
    return { ...request, status: 409, expected: { error: text() } }
  }
  const { from, to } = STEPS[step]
  const isRepeated = commission.status === to
  if (!isRepeated && !(from as readonly Status[]).includes(commission.status)) {
    return { ...request, status: 409, expected: { error: text() } }
  }
  const after = isRepeated
    ? commission
    : { ...commission, status: to, rejection_reason: reason ?? commission.rejection_reason }
  return {
    ...request,
    status: 200,
    expected: { data: commissionView(after as Commission) },
    apply: isRepeated ? undefined : () => move(program, commission, to, reason, at),
  }
}

/** Whether a commission's hold is over, so that it is approved by itself at any moment. */
export const isDue = (commission: Commission, { now, isAhead }: World) => {
  const { status, approvesItself, nominal, hold_days } = commission
  const isOver = !isAhead && nominal + hold_days * DAY_MS <= now
  return status === "pending" && approvesItself && isOver
}

function move(
  program: Program,
  commission: Commission,
  to: "approved" | "rejected" | "paid",
  reason: string | undefined,
  at: Operation["at"],
) {
  commission.status = to
  if (to === "approved") return
  const { amount_cents } = commission
  book(commission, to === "paid" ? "payout" : "rejection", 0 - amount_cents)
  if (to === "paid") commission.wasPaid = true
  else commission.rejection_reason = reason ?? null
  notify(program, commission, to, amount_cents, reason, at)
}
