import { call } from "../../lib/bus"
import { insist } from "../../lib/doubt"
import { Fault } from "../../lib/fault"
import { createCommission } from "../commissions/contract"
import { sql } from "./db"
import type { StoredSale } from "./sales"

/**
 * Brings a stored sale to its end: commission created if it earns one, sale visible, customer
 * converted, and the sale acknowledged to `request_id`, unless it was to another before (null: to
 * nobody yet). Both steps may be repeated, so whoever comes across a pending sale may complete it.
 */
export async function completeSale(sale: StoredSale, request_id: string | null) {
  const commission_id = sale.state === "complete" ? sale.commission_id : await earn(sale)

  const finish = () => finishSale(sale, commission_id, request_id)
  const acknowledged_by = await finish()
    .catch(finish) // the first may have been committed unheard: the second finds out
    .catch(inDoubt)
  return { commission_id, acknowledged_by }
}

async function earn(sale: StoredSale): Promise<number | null> {
  if (!sale.is_attributed) return null

  const { id: sale_id, program_id, partner_id, transaction_id, amount_cents, currency } = sale
  const { product_id, sale_date, first_sale_id } = sale
  const earned = { sale_id, program_id, partner_id, transaction_id, amount_cents, currency }
  const asked = { ...earned, product_id, sale_date, first_sale_id }
  const created = await insist(() => call(createCommission, asked)).catch(noCommission)
  return created.commission_id
}

/** One statement, one transaction. The row lock lets one request win; says which. */
async function finishSale(
  { id, customer_id, sale_date }: StoredSale,
  commission_id: number | null,
  request_id: string | null,
) {
  const [sale] = await sql<[{ acknowledged_by: string | null }]>`
    with converted as (
      update customers
      set
        customer_status = 'conversion',
        first_purchase_date = ${sale_date}
      where id = ${customer_id}
        and customer_status <> 'conversion'
      returning id
    )
    update affiliate_sale_events
    set
      state = 'complete',
      commission_id = ${commission_id},
      converts = converts or exists (select from converted),
      acknowledged_by = coalesce(acknowledged_by, ${request_id}),
      final_xact = coalesce(final_xact, pg_current_xact_id())
    where id = ${id}
    returning acknowledged_by
  `
  return sale.acknowledged_by
}

const noCommission = (cause: unknown) => {
  throw new Fault("failed", "Commission creation failed: send the same sale again.", cause)
}
const inDoubt = (cause: unknown) => {
  throw new Fault("unavailable", "The sale is not confirmed: send the same sale again.", cause)
}
