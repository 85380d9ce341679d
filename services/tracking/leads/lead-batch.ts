import { inBatches } from "../../../lib/batch"
import { retryOnConflict } from "../../../lib/db/pool"
import { isLockTimeout } from "../../../lib/fault"
import type { Lead } from "../contract"
import { batches_sql } from "../db"
import { insertLeads, type NewLead } from "./insert-leads"

/**
 * Stores the lead of a backend in a batch and without a transaction, so that no lock outlives a
 * round trip. False: not stored, for example because the customer has to be looked up first.
 */
export async function storeLeadInBatch(program_id: number, lead: Lead): Promise<boolean> {
  const { click_id, customer_key = null } = lead
  if (!click_id) return false
  const newLead = { customer_id: null, program_id, click_id, customer_key, lead }
  return storeBatch(newLead).catch(error => {
    if (isLockTimeout(error)) return false // a transaction of its own may wait longer
    throw error
  })
}

type ClickLead = NewLead & { click_id: string }

/** Stores the first of several leads with the same click or key. The others return false. */
const storeBatch = inBatches("leads", async (leads: ClickLead[]) => {
  const first = new Set(
    leads.filter((lead, i) => leads.findIndex(other => hasSameClickOrKey(other, lead)) === i),
  )
  const stored = await retryOnConflict(() => insertLeads(batches_sql, [...first]))
  const storedClickIds = new Set(stored.map(({ click_id }) => click_id))
  return leads.map(lead => first.has(lead) && storedClickIds.has(lead.click_id))
})

const hasSameClickOrKey = (one: ClickLead, other: ClickLead) =>
  one.click_id === other.click_id ||
  (one.customer_key !== null &&
    one.customer_key === other.customer_key &&
    one.program_id === other.program_id)
