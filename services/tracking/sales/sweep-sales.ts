import { log } from "../../../lib/log"
import { claim } from "../claim"
import { sql } from "../db"
import { completeSale } from "./complete-sale"
import { SALE_COLUMNS, type StoredSale } from "./sales"

/**
 * Completes sales left pending by a crash or an outage of commissions. It acknowledges them to no
 * request, so that the advertiser's retry still gets a 200. Returns how many it claimed.
 */
export async function sweepSales() {
  const sales = await claim<StoredSale>({
    table: "affiliate_sale_events",
    isOpen: sql`state = 'pending'`,
    order: sql`try_after`,
    columns: SALE_COLUMNS,
  })
  await Promise.all(
    sales.map(sale =>
      completeSale(sale, null).catch(err => log.warn({ err, sale_id: sale.id }, "Still pending")),
    ),
  )
  return sales.length
}
