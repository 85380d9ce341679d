import type { ReplyOf, RequestOf } from "../../../lib/bus/operation"
import type { Transaction } from "../../../lib/db/database"
import { Fault } from "../../../lib/fault"
import { decimal } from "../../../lib/money"
import { mismatch, requireSame } from "../../../lib/same-row"
import type * as contract from "../contract"
import { sql } from "../db"
import { deduct } from "../ledger/ledger"
import {
  findRefund,
  type Refund,
  type RefundedCommission,
  skipReason,
  storeRefund,
} from "../ledger/refunds"
import { notifyOfRefund } from "../notifications/notifications"
import { recordRefundEvents } from "./refund-events"

type Request = RequestOf<typeof contract.reverseCommission>
type Reply = ReplyOf<typeof contract.reverseCommission>

/**
 * Runs in one transaction. Locking the commission serializes the refunds of its sale. A request that
 * names another sale than the commission's gets a fault.
 */
export const reverseCommission = (request: Request): Promise<Reply> =>
  sql.begin(async sql => {
    const commission = await lockCommissionOf(sql, request.sale_id)
    requireSame("reverseCommission", saleOf(commission), request)

    const known = await findRefund(sql, request.request_id)
    if (known) {
      const { commission_id } = known
      requireSame("reverseCommission", { commission_id }, { commission_id: commission.id })
      return toReply(commission, known)
    }

    const reason = await skipReason(sql, commission, request)
    if (reason) return { status: "skipped", commission_id: commission.id, reason }

    const refund = calculateRefund(commission, request)
    const id = await storeRefund(sql, commission, request, refund)
    await deduct(sql, commission, refund.deduction_cents, id)
    await notifyOfRefund(sql, commission, refund, request.refund_reason, id)
    await recordRefundEvents(sql, commission, id)
    return toReply(commission, refund)
  })

type LockedCommission = RefundedCommission & Sale
type Sale = { sale_amount_cents: number | null; sale_currency: string | null }

/** Throws "unavailable": tracking only asks for sales that have a commission. */
async function lockCommissionOf(sql: Transaction, sale_id: number) {
  const [commission] = await sql<[LockedCommission?]>`
    select
      id, program_id, partner_id, transaction_id, amount_cents, currency, status, paid_at,
      refunded_cents, deducted_cents, refund_reason, sale_amount_cents, sale_currency
    from commissions
    where sale_id = ${sale_id}
    for update
  `
  if (!commission) throw mismatch("reverseCommission", "it does not exist")
  return commission
}

/** What a refund of this commission's sale must name. */
const saleOf = (commission: LockedCommission) => ({
  commission_id: commission.id,
  program_id: commission.program_id,
  partner_id: commission.partner_id,
  transaction_id: commission.transaction_id,
  sale_amount_cents: commission.sale_amount_cents,
  sale_currency: commission.sale_currency,
})

/** Rounds the sum of all refunds of the sale, so that fractions of a cent do not add up. */
function calculateRefund(commission: RefundedCommission, request: Request): Refund {
  const { amount_cents, refunded_cents, deducted_cents } = commission
  const { sale_amount_cents, refund_amount_cents } = request
  const remainingCents = sale_amount_cents - refunded_cents
  if (refund_amount_cents === null) {
    const deduction_cents = amount_cents - deducted_cents
    return { status: "reversed", refund_cents: remainingCents, deduction_cents }
  }
  if (refund_amount_cents > sale_amount_cents) {
    throw new Fault("invalid", "refund_amount_cents exceeds the amount of the sale.")
  }
  if (refund_amount_cents > remainingCents) {
    throw new Fault("invalid", "refund_amount_cents exceeds the remaining amount of the sale.")
  }
  const cents = BigInt(amount_cents) * BigInt(refunded_cents + refund_amount_cents)
  const deduction_cents = decimal(cents, BigInt(sale_amount_cents), 0) - deducted_cents
  return { status: "refunded", refund_cents: refund_amount_cents, deduction_cents }
}

const toReply = (
  { id: commission_id, currency }: RefundedCommission,
  { status, deduction_cents }: Refund,
): Reply => ({ status, commission_id, deduction_cents, currency })
