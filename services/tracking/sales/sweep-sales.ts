import { log } from "../../../lib/log"
import { sql } from "../db"
import { completeSale } from "./complete-sale"
import { SALE_COLUMNS, type StoredSale } from "./sales"

const SALES_MAX = 20

/**
 * Completes sales that were left pending: a process died, or commissions was away. They are
 * acknowledged to nobody, so that the advertiser's next try still gets its 200.
 */
export async function sweepSales() {
  const sales = await claimSales()
  await Promise.all(
    sales.map(sale =>
      completeSale(sale, null).catch(err => log.warn({ err, sale_id: sale.id }, "Still pending")),
    ),
  )
  return sales.length
}

/** Two replicas do not take the same ones, and each try doubles the pause before the next. */
const claimSales = () => sql<StoredSale[]>`
  update affiliate_sale_events
  set
    tries = tries + 1,
    try_after = now() + least(2 ^ least(tries, 6), 60) * interval '1 second'
  where id in (
    select id
    from affiliate_sale_events
    where state = 'pending'
      and try_after < now()
    order by try_after
    limit ${SALES_MAX}
    for update skip locked
  )
  returning ${sql(SALE_COLUMNS)}
`
