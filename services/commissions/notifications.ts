import type { Transaction } from "../../lib/db"
import { exponentOf, major } from "../../lib/money"
import type { Refund } from "./refunds"
import type { Refunded } from "./reverse-commission"

/**
 * Leaves a notice for the partner and, where the commission was paid, a warning for the
 * advertiser, whose money is gone unless somebody sees to it (specification 4.5).
 */
export async function notifyOfRefund(
  sql: Transaction,
  { id, program_id, partner_id, transaction_id, currency, paid_at }: Refunded,
  { status, deduction_cents }: Refund,
  refund_reason: string | null,
  refund_id: number,
) {
  const amount = `${major(deduction_cents, currency).toFixed(exponentOf(currency))} ${currency}`
  const reason = refund_reason ? ` Reason: ${refund_reason}` : ""
  const notice = `Sale ${transaction_id} was refunded: ${amount} of your commission is taken back.`
  const warning =
    `Sale ${transaction_id} was refunded after its commission was paid: ` +
    `please review it, the partner owes ${amount}.`

  await sql`
    insert into notifications (
      program_id, recipient, partner_id, kind, commission_id, refund_id, message
    )
    values (
      ${program_id}, 'partner', ${partner_id}, ${`commission_${status}`}, ${id}, ${refund_id},
      ${notice + reason}
    )
  `
  if (paid_at === null) return

  await sql`
    insert into notifications (
      program_id, recipient, workspace_id, kind, commission_id, refund_id, message
    )
    select
      program_id, 'advertiser', workspace_id, 'paid_commission_refunded', ${id}, ${refund_id},
      ${warning + reason}
    from programs
    where program_id = ${program_id}
  `
}
