import type { ReplyOf, RequestOf } from "../../../lib/bus/operation"
import type { Transaction } from "../../../lib/db/database"
import { Fault } from "../../../lib/fault"
import { decimal } from "../../../lib/money"
import type * as contract from "../contract"
import { sql } from "../db"
import { deduct } from "../ledger/ledger"
import { findRefund, type Refund, type Refunded, storeRefund, whyNoMore } from "../ledger/refunds"
import { notifyOfRefund } from "../notifications/notifications"

type Asked = RequestOf<typeof contract.reverseCommission>
type Reply = ReplyOf<typeof contract.reverseCommission>

/** One transaction: refunds of one sale queue at its commission. */
export const reverseCommission = (asked: Asked): Promise<Reply> =>
  sql.begin(async sql => {
    const commission = await lockCommissionOf(sql, asked.sale_id)
    if (!commission) return { status: "no_commission" }

    const known = await findRefund(sql, asked.request_id)
    if (known) return answer(commission, known)

    const reason = await whyNoMore(sql, commission, asked)
    if (reason) return { status: "skipped", commission_id: commission.id, reason }

    const refund = measure(commission, asked)
    const id = await storeRefund(sql, commission, asked, refund)
    await deduct(sql, commission, refund.deduction_cents, id)
    await notifyOfRefund(sql, commission, refund, asked.refund_reason, id)
    return answer(commission, refund)
  })

async function lockCommissionOf(sql: Transaction, sale_id: number) {
  const [commission] = await sql<[Refunded?]>`
    select
      id, program_id, partner_id, transaction_id, amount_cents, currency, status, paid_at,
      refunded_cents, deducted_cents
    from commissions
    where sale_id = ${sale_id}
    for update
  `
  return commission
}

/** Rounds what all refunds of the sale take together, so that parts of a cent do not add up. */
function measure(commission: Refunded, asked: Asked): Refund {
  const { amount_cents, refunded_cents, deducted_cents } = commission
  const { sale_amount_cents, refund_amount_cents } = asked
  const left_cents = sale_amount_cents - refunded_cents
  if (refund_amount_cents === null) {
    const deduction_cents = amount_cents - deducted_cents
    return { status: "reversed", refund_cents: left_cents, deduction_cents }
  }
  if (refund_amount_cents > sale_amount_cents) {
    throw new Fault("invalid", "refund_amount_cents is more than the amount of the sale.")
  }
  if (refund_amount_cents > left_cents) {
    throw new Fault("invalid", "refund_amount_cents is more than what remains of the sale.")
  }
  const cents = BigInt(amount_cents) * BigInt(refunded_cents + refund_amount_cents)
  const deduction_cents = decimal(cents, BigInt(sale_amount_cents), 0) - deducted_cents
  return { status: "refunded", refund_cents: refund_amount_cents, deduction_cents }
}

const answer = (
  { id: commission_id, currency }: Refunded,
  { status, deduction_cents }: Refund,
): Reply => ({ status, commission_id, deduction_cents, currency })
