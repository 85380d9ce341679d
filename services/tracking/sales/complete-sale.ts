import { inBatches } from "../../../lib/batch"
import { call } from "../../../lib/bus/bus"
import { retryOnConflict } from "../../../lib/db/pool"
import { relation } from "../../../lib/db/relation"
import { Fault } from "../../../lib/fault"
import { retryOnSilence } from "../../../lib/retry"
import { createCommission } from "../../commissions/contract"
import { batches_sql as sql } from "../db"
import { recordSaleEvents } from "./sale-events"
import { findSaleById, type StoredSale } from "./sales"

/**
 * Completes a stored sale: creates its commission if it earns one, makes the sale visible and
 * converts the customer. Acknowledges the sale to `request_id` unless another request has it (null:
 * acknowledges it to none). Both steps are safe to repeat, so any process may complete a sale.
 */
export async function completeSale(sale: StoredSale, request_id: string | null) {
  const commission_id = sale.state === "complete" ? sale.commission_id : await earnCommission(sale)

  const complete = () => markComplete({ sale, commission_id, request_id })
  const acknowledged_by = await complete()
    .catch(complete) // the first may have committed although its reply was lost
    .catch(throwUnconfirmed)
  return { commission_id, acknowledged_by }
}

async function earnCommission(sale: StoredSale): Promise<number | null> {
  if (!sale.is_attributed) return null

  const { id: sale_id, program_id, partner_id, transaction_id, amount_cents, currency } = sale
  const { product_id, sale_date, first_sale_id, partner_version } = sale
  if (first_sale_id !== null) await completeFirstSale(first_sale_id)
  const earning = { sale_id, program_id, partner_id, transaction_id, amount_cents, currency }
  const program_currency = await programCurrency(program_id)
  const terms = { program_currency, partner_version, product_id, sale_date, first_sale_id }
  const request = { ...earning, ...terms }
  const { commission_id } = await retryOnSilence(() => call(createCommission, request)).catch(
    throwNoCommission,
  )
  return commission_id
}

/** A renewal needs the commission of its subscription's first sale, which may be pending still. */
async function completeFirstSale(first_sale_id: number) {
  const first = await findSaleById(first_sale_id)
  if (first.state === "pending") await completeSale(first, null)
}

/** Returns the currency that the sale fixed. Commissions may not know a recent change yet. */
const programCurrency = inBatches("currencies of programs", async (program_ids: number[]) => {
  const programs = await sql<{ program_id: number; currency: string }[]>`
    select program_id, currency
    from programs
    where program_id = any (${program_ids}::bigint[])
  `
  const byId = new Map(programs.map(({ program_id, currency }) => [program_id, currency]))
  return program_ids.map(program_id => byId.get(program_id) as string)
})

type Completion = {
  sale: StoredSale
  commission_id: number | null
  request_id: string | null
}

/** Returns the request that the sale is acknowledged to. The row lock lets only one win. */
const markComplete = inBatches("completed sales", async (completions: Completion[]) => {
  const acknowledged = await retryOnConflict(() => markAllComplete(completions))
  const byId = new Map(acknowledged.map(({ id, acknowledged_by }) => [id, acknowledged_by]))
  return completions.map(({ sale: { id } }) => byId.get(id) as string | null)
})

const completionRelation = relation<StoredSale & Omit<Completion, "sale">>({
  id: "bigint",
  customer_id: "bigint",
  sale_date: "timestamptz",
  commission_id: "bigint",
  request_id: "text",
})

/**
 * Marks sales as complete, converts their customers and records the outgoing events in one
 * statement. The first of several requests of a sale is acknowledged, and the first of several sales
 * converts the customer.
 */
function markAllComplete(completions: Completion[]) {
  const rows = completions.map(({ sale, ...completion }) => ({ ...sale, ...completion }))

  return sql<{ id: number; acknowledged_by: string | null }[]>`
    with input as materialized (
      select distinct on (id) id, customer_id, sale_date, commission_id, request_id
      from ${completionRelation(sql, rows)} as input
      order by id, request_id is null, position
    ),
    earliest as materialized (
      select distinct on (customer_id) id, customer_id, sale_date
      from input
      order by customer_id, id
    ),
    convertible as materialized (
      select customer.id, earliest.id as sale_id, earliest.sale_date
      from earliest
      join customers as customer on customer.id = earliest.customer_id
      where customer.customer_status <> 'conversion'
      order by customer.id -- locking in one order avoids deadlocks
      for no key update of customer
    ),
    converted as (
      update customers as customer
      set
        customer_status = 'conversion',
        first_purchase_date = convertible.sale_date
      from convertible
      where customer.id = convertible.id
    ),
    sale as (
      update affiliate_sale_events as sale
      set
        state = 'complete',
        commission_id = input.commission_id,
        converts = converts or sale.id in (select sale_id from convertible),
        acknowledged_by = coalesce(acknowledged_by, input.request_id),
        final_xact = coalesce(final_xact, pg_current_xact_id())
      from input
      where sale.id = input.id
      returning sale.*
    ),
    recorded as (${recordSaleEvents})
    select id, acknowledged_by
    from sale
  `
}

const throwNoCommission = (cause: unknown) => {
  throw new Fault("failed", "Commission creation failed: send the same sale again.", cause)
}
const throwUnconfirmed = (cause: unknown) => {
  throw new Fault("unavailable", "The sale is not confirmed: send the same sale again.", cause)
}
