import { inBatches } from "../../../lib/batch"
import { call } from "../../../lib/bus/bus"
import { columnsOf } from "../../../lib/db/columns"
import { retryOnConflict } from "../../../lib/db/pool"
import { Fault } from "../../../lib/fault"
import { retryOnSilence } from "../../../lib/retry"
import { createCommission } from "../../commissions/contract"
import { batches_sql as sql } from "../db"
import { findSaleById, type StoredSale } from "./sales"

/**
 * Brings a stored sale to its end: commission created if it earns one, sale visible, customer
 * converted, and the sale acknowledged to `request_id`, unless it was to another before (null: to
 * nobody yet). Both steps may be repeated, so whoever comes across a pending sale may complete it.
 */
export async function completeSale(sale: StoredSale, request_id: string | null) {
  const commission_id = sale.state === "complete" ? sale.commission_id : await earn(sale)

  const finish = () => finishSale({ sale, commission_id, request_id })
  const acknowledged_by = await finish()
    .catch(finish) // the first may have been committed unheard: the second finds out
    .catch(inDoubt)
  return { commission_id, acknowledged_by }
}

async function earn(sale: StoredSale): Promise<number | null> {
  if (!sale.is_attributed) return null

  const { id: sale_id, program_id, partner_id, transaction_id, amount_cents, currency } = sale
  const { product_id, sale_date, first_sale_id } = sale
  if (first_sale_id !== null) await completeFirst(first_sale_id)
  const earned = { sale_id, program_id, partner_id, transaction_id, amount_cents, currency }
  const program_currency = await currencyOf(program_id)
  const asked = { ...earned, program_currency, product_id, sale_date, first_sale_id }
  const created = await retryOnSilence(() => call(createCommission, asked)).catch(noCommission)
  return created.commission_id
}

/** A renewal earns as its subscription's first sale did, which may have come a moment before. */
async function completeFirst(first_sale_id: number) {
  const first = await findSaleById(first_sale_id)
  if (first.state === "pending") await completeSale(first, null)
}

/** As the sale has fixed it: commissions may not have heard yet of a change just before. */
const currencyOf = inBatches("currencies of programs", async (program_ids: number[]) => {
  const programs = await sql<{ program_id: number; currency: string }[]>`
    select program_id, currency
    from programs
    where program_id = any (${program_ids}::bigint[])
  `
  const byId = new Map(programs.map(({ program_id, currency }) => [program_id, currency]))
  return program_ids.map(program_id => byId.get(program_id) as string)
})

type Finished = {
  sale: StoredSale
  commission_id: number | null
  request_id: string | null
}

/** The row lock lets one request win; says which. */
const finishSale = inBatches("completed sales", async (finished: Finished[]) => {
  const acknowledged = await retryOnConflict(() => finishSales(finished))
  const byId = new Map(acknowledged.map(({ id, acknowledged_by }) => [id, acknowledged_by]))
  return finished.map(({ sale: { id } }) => byId.get(id) as string | null)
})

/**
 * One statement, one transaction. Of two requests of one sale the first counts, and of two sales of
 * one customer the first converts it.
 */
function finishSales(finished: Finished[]) {
  const column = columnsOf(finished.map(({ sale, ...finish }) => ({ ...sale, ...finish })))

  return sql<{ id: number; acknowledged_by: string | null }[]>`
    with asked as materialized (
      select distinct on (id) id, customer_id, sale_date, commission_id, request_id
      from unnest(
        ${column("id")}::bigint[],
        ${column("customer_id")}::bigint[],
        ${column("sale_date")}::timestamptz[],
        ${column("commission_id")}::bigint[],
        ${column("request_id")}::text[]
      ) with ordinality as asked (id, customer_id, sale_date, commission_id, request_id, position)
      order by id, request_id is null, position
    ),
    earliest as materialized (
      select distinct on (customer_id) id, customer_id, sale_date
      from asked
      order by customer_id, id
    ),
    convertible as materialized (
      select customer.id, earliest.id as sale_id, earliest.sale_date
      from earliest
      join customers as customer on customer.id = earliest.customer_id
      where customer.customer_status <> 'conversion'
      order by customer.id -- who locks in one order does not deadlock
      for no key update of customer
    ),
    converted as (
      update customers as customer
      set
        customer_status = 'conversion',
        first_purchase_date = convertible.sale_date
      from convertible
      where customer.id = convertible.id
    )
    update affiliate_sale_events as sale
    set
      state = 'complete',
      commission_id = asked.commission_id,
      converts = converts or sale.id in (select sale_id from convertible),
      acknowledged_by = coalesce(acknowledged_by, asked.request_id),
      final_xact = coalesce(final_xact, pg_current_xact_id())
    from asked
    where sale.id = asked.id
    returning sale.id, sale.acknowledged_by
  `
}

const noCommission = (cause: unknown) => {
  throw new Fault("failed", "Commission creation failed: send the same sale again.", cause)
}
const inDoubt = (cause: unknown) => {
  throw new Fault("unavailable", "The sale is not confirmed: send the same sale again.", cause)
}
