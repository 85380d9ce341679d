import { call } from "../../../lib/bus/bus"
import type { RequestOf } from "../../../lib/bus/operation"
import { asFault, Fault } from "../../../lib/fault"
import { retryOnSilence } from "../../../lib/retry"
import { reverseCommission } from "../../commissions/contract"
import type * as contract from "../contract"
import { completeSale } from "./complete-sale"
import { findSale } from "./sales"

type Request = RequestOf<typeof contract.refundSale>

/** Completes a pending sale first, since a refund takes back its commission. */
export async function refundSale({ request_id, program_id, refund }: Request) {
  const sale = await findSale(program_id, refund.transaction_id)
  if (!sale) throw new Fault("missing", "No sale in this program has this transaction_id.")
  const { commission_id } =
    sale.state === "complete" ? sale : await completeSale(sale, null).catch(throwNotReady)

  const { refund_amount_cents = 0, refund_reason = null, refund_id = null } = refund
  if (commission_id === null) {
    if (refund_amount_cents <= sale.amount_cents) return { status: "no_commission" as const }
    throw new Fault("invalid", "refund_amount_cents exceeds the amount of the sale.")
  }
  const request = {
    request_id,
    sale_id: sale.id,
    commission_id,
    program_id,
    partner_id: sale.partner_id,
    transaction_id: sale.transaction_id,
    sale_amount_cents: sale.amount_cents,
    sale_currency: sale.currency,
    refund_amount_cents: refund_amount_cents || null,
    refund_reason,
    refund_id,
  }
  return retryOnSilence(() => call(reverseCommission, request))
}

/** Replaces the message, which is meant for the caller that records the sale. */
const throwNotReady = (error: unknown) => {
  const { kind, cause } = asFault(error)
  throw new Fault(kind, "The sale has no commission yet: send the same refund again.", cause)
}
