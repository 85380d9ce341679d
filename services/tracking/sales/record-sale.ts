import type { ReplyOf, RequestOf } from "../../../lib/bus/operation"
import { config } from "../../../lib/config"
import { retryOnConflict } from "../../../lib/db/pool"
import { Fault, unavailable } from "../../../lib/fault"
import type * as contract from "../contract"
import { sql } from "../db"
import { isOverQuota, quotaReached } from "../quota/quota"
import { completeSale } from "./complete-sale"
import type { NewSale } from "./insert-sales"
import { findSale, isRecorded, type StoredSale } from "./sales"
import { storeSaleInBatch, storeSaleInTransaction } from "./store-sale"

type Request = RequestOf<typeof contract.recordSale>
type Reason = ReplyOf<typeof contract.recordSale>["reason"]

/**
 * Stores a sale as pending, completes it and acknowledges it to one request, the only one that gets
 * a 200. A crash in between leaves a pending sale, which stays hidden until the advertiser's retry,
 * a refund, a renewal or the sweeper completes it.
 */
export async function recordSale({ request_id, program_id, sale }: Request) {
  const request_hash = hashRequest(program_id, sale)
  const stored = await findOrStoreSale({ program_id, sale, request_hash })
  if (stored.acknowledged_by && stored.acknowledged_by !== request_id) throw alreadyRecorded()

  const isRetry = stored.request_hash === request_hash
  const { commission_id, acknowledged_by } = await completeSale(stored, isRetry ? request_id : null)
  if (acknowledged_by !== request_id) throw alreadyRecorded()

  const { id: sale_id, click_age_days, window_days } = stored
  return {
    sale_id,
    commission_id,
    reason: reasonOf(stored, commission_id),
    click_age_days,
    window_days,
  }
}

/**
 * Returns the program's sale of a transaction_id, stored now or by an earlier or concurrent request.
 * A sale of another program is in the way only where TRANSACTION_SCOPE says so.
 */
async function findOrStoreSale(newSale: NewSale) {
  if (await isOverQuota(sql, newSale.program_id)) return findWithinQuota(newSale)
  const stored = await storeSaleInBatch(newSale)
  if (stored) return stored

  const { transaction_id } = newSale.sale
  const find = () => findSale(newSale.program_id, transaction_id)
  const known = await find()
  if (known) return known // even if the customer differs

  const sale = (await retryOnConflict(() => storeSaleInTransaction(newSale))) ?? (await find())
  if (sale) return sale
  if (config.transaction_scope === "service" && (await isRecorded(transaction_id))) {
    throw alreadyRecorded()
  }
  throw unavailable() // the transaction that had taken the id was rolled back
}

/** Beyond the quota, no new sale is stored, but one that is stored can still be confirmed. */
async function findWithinQuota({ program_id, sale }: NewSale): Promise<StoredSale> {
  const known = await findSale(program_id, sale.transaction_id)
  if (known) return known
  throw quotaReached()
}

function reasonOf(sale: StoredSale, commission_id: number | null): Reason {
  if (commission_id !== null) return null
  return sale.is_attributed ? "commission_duration_ended" : "attribution_window_expired"
}

/** Hashes a request, regardless of the order of its fields. */
const hashRequest = (program_id: number, sale: Request["sale"]) => {
  const fields = Object.entries(sale).sort(([name], [other]) => (name < other ? -1 : 1))
  return Bun.SHA256.hash(JSON.stringify([program_id, fields]), "hex")
}

const alreadyRecorded = () => new Fault("duplicate", "This transaction_id is already recorded.")
