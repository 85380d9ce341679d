import { inBatches } from "../../../lib/batch"
import { retryOnConflict } from "../../../lib/db/pool"
import { isLockedOut } from "../../../lib/fault"
import type { Lead } from "../contract"
import { batches_sql } from "../db"
import { insertLeads, type NewLead } from "./insert-leads"

/**
 * Stores the lead of a backend together with others and without a transaction: no lock outlives a
 * round trip. False where that cannot be, as where the customer has to be found out first.
 */
export async function storeAmongOthers(program_id: number, lead: Lead): Promise<boolean> {
  const { click_id, customer_key = null } = lead
  if (!click_id) return false
  const asked = { customer_id: null, program_id, click_id, customer_key, lead }
  return storeTogether(asked).catch(error => {
    if (isLockedOut(error)) return false // by itself it may wait for longer
    throw error
  })
}

type Asked = NewLead & { click_id: string }

/** Of those that name one click or one key the first is stored; the others find it stored then. */
const storeTogether = inBatches("leads", async (asked: Asked[]) => {
  const first = new Set(
    asked.filter((lead, i) => asked.findIndex(other => meets(other, lead)) === i),
  )
  const stored = await retryOnConflict(() => insertLeads(batches_sql, [...first]))
  const clicks = new Set(stored.map(({ click_id }) => click_id))
  return asked.map(lead => first.has(lead) && clicks.has(lead.click_id))
})

const meets = (one: Asked, other: Asked) =>
  one.click_id === other.click_id ||
  (one.customer_key !== null &&
    one.customer_key === other.customer_key &&
    one.program_id === other.program_id)
