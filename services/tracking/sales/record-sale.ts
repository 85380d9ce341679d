import type { ReplyOf, RequestOf } from "../../../lib/bus/operation"
import { retryOnConflict } from "../../../lib/db/pool"
import { Fault, unanswered } from "../../../lib/fault"
import type * as contract from "../contract"
import { completeSale } from "./complete-sale"
import type { NewSale } from "./insert-sales"
import { findSale, type StoredSale } from "./sales"
import { storeAmongOthers, storeInTransaction } from "./store-sale"

type Asked = RequestOf<typeof contract.recordSale>
type Reason = ReplyOf<typeof contract.recordSale>["reason"]

/**
 * A sale is stored as pending, then completed, then acknowledged to one request; only that one
 * answers 200. Whoever dies on the way leaves a pending sale, which nobody is shown, and the
 * advertiser's next try, a refund, a renewal or the sweeper completes it.
 */
export async function recordSale({ request_id, program_id, sale }: Asked) {
  const request_hash = hashOf(program_id, sale)
  const stored = await storeOnce({ program_id, sale, request_hash })
  if (stored.program_id !== program_id) throw recordedAlready()
  if (stored.acknowledged_by && stored.acknowledged_by !== request_id) throw recordedAlready()

  const isRetry = stored.request_hash === request_hash
  const { commission_id, acknowledged_by } = await completeSale(stored, isRetry ? request_id : null)
  if (acknowledged_by !== request_id) throw recordedAlready()

  const { id: sale_id, click_age_days, window_days } = stored
  return {
    sale_id,
    commission_id,
    reason: reasonOf(stored, commission_id),
    click_age_days,
    window_days,
  }
}

/** The sale under this transaction_id: as we store it, or as an earlier or faster call has. */
async function storeOnce(asked: NewSale) {
  const stored = await storeAmongOthers(asked)
  if (stored) return stored

  const { transaction_id } = asked.sale
  const known = await findSale(transaction_id)
  if (known?.program_id === asked.program_id) return known // whichever customer is named this time

  const sale =
    (await retryOnConflict(() => storeInTransaction(asked))) ?? (await findSale(transaction_id))
  if (!sale) throw unanswered() // whoever had taken the id gave it up meanwhile
  return sale
}

function reasonOf(sale: StoredSale, commission_id: number | null): Reason {
  if (commission_id !== null) return null
  return sale.is_attributed ? "commission_duration_ended" : "attribution_window_expired"
}

/** Equal for equal requests, in whatever order their fields came. */
const hashOf = (program_id: number, sale: Asked["sale"]) => {
  const fields = Object.entries(sale).sort(([name], [other]) => (name < other ? -1 : 1))
  return Bun.SHA256.hash(JSON.stringify([program_id, fields]), "hex")
}

const recordedAlready = () => new Fault("duplicate", "This transaction_id is already recorded.")
