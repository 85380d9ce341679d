import { call } from "../../../lib/bus/bus"
import type { RequestOf } from "../../../lib/bus/operation"
import { asFault, Fault } from "../../../lib/fault"
import { retryOnSilence } from "../../../lib/retry"
import { reverseCommission } from "../../commissions/contract"
import type * as contract from "../contract"
import { completeSale } from "./complete-sale"
import { findSale } from "./sales"

type Asked = RequestOf<typeof contract.refundSale>

/** A sale that is pending is completed first: nobody can refund what is not there yet. */
export async function refundSale({ request_id, program_id, refund }: Asked) {
  const sale = await findSale(refund.transaction_id)
  if (sale?.program_id !== program_id) {
    throw new Fault("missing", "No sale of this program has this transaction_id.")
  }
  const { commission_id } =
    sale.state === "complete" ? sale : await completeSale(sale, null).catch(notYet)

  const { refund_amount_cents = 0, refund_reason = null, refund_id = null } = refund
  if (commission_id === null) {
    if (refund_amount_cents <= sale.amount_cents) return { status: "no_commission" as const }
    throw new Fault("invalid", "refund_amount_cents is more than the amount of the sale.")
  }
  const asked = {
    request_id,
    sale_id: sale.id,
    sale_amount_cents: sale.amount_cents,
    refund_amount_cents: refund_amount_cents || null,
    refund_reason,
    refund_id,
  }
  return retryOnSilence(() => call(reverseCommission, asked))
}

/** What the sale's own caller would be told is no help to this one. */
const notYet = (error: unknown) => {
  const { kind, cause } = asFault(error)
  throw new Fault(kind, "The sale has no commission yet: send the same refund again.", cause)
}
