import { inBatches } from "../../../lib/batch"
import type { Transaction } from "../../../lib/db/database"
import { retryOnConflict } from "../../../lib/db/pool"
import { Fault, isLockTimeout } from "../../../lib/fault"
import type { Sale } from "../contract"
import { resolveCustomer } from "../customers/customers"
import { batches_sql, sql } from "../db"
import { hasPartner } from "../programs/partners"
import { insertSales, type NewSale, saleAttribution } from "./insert-sales"
import type { StoredSale } from "./sales"

/**
 * Stores a sale as pending, in a batch and without a transaction, so that no lock outlives a round
 * trip. Undefined: not stored, for example because the customer has to be looked up or bound first.
 */
export async function storeSaleInBatch(newSale: NewSale): Promise<StoredSale | undefined> {
  if (isRenewal(newSale.sale)) return undefined // its first sale may still be in flight
  return storeBatch(newSale).catch(error => {
    if (isLockTimeout(error)) return undefined // a transaction of its own may wait longer
    throw error
  })
}

const isRenewal = ({ is_recurring, subscription_id }: Sale) =>
  Boolean(is_recurring && subscription_id)

/** Stores a repeated transaction_id once and returns the same sale for each request. */
const storeBatch = inBatches("sales", async (newSales: NewSale[]) => {
  const sales = newSales.map(sale => ({ ...sale, customer_id: null }))
  const stored = await retryOnConflict(() => insertSales(batches_sql, sales))
  const byKey = Map.groupBy(stored, keyOf)
  return newSales.map(({ program_id, sale: { transaction_id } }) =>
    byKey.get(keyOf({ program_id, transaction_id }))?.at(0),
  )
})

const keyOf = ({ program_id, transaction_id }: Pick<StoredSale, "program_id" | "transaction_id">) =>
  `${program_id} ${transaction_id}`

/**
 * Stores a sale as pending, with the present customer, partner, window and time. Undefined: the
 * transaction_id is taken, and nothing was stored. Faults: invalid (the customer does not exist, or
 * its partner was removed from the program).
 */
export async function storeSaleInTransaction(newSale: NewSale) {
  const store = async (sql: Transaction) => {
    const { id } = await resolveCustomer(sql, newSale.program_id, newSale.sale)
    const [stored] = await insertSales(sql, [{ ...newSale, customer_id: id }])
    if (stored) return stored
    await refuseWithoutPartner(sql, id, newSale)
    throw TAKEN
  }
  return sql.begin(store).catch(error => {
    if (error === TAKEN) return undefined
    throw error
  })
}

const TAKEN = Symbol("the transaction_id is taken")

/** Refuses with 400 if the partner was removed, before a duplicate does so (behaviour 1.2). */
async function refuseWithoutPartner(sql: Transaction, id: number, { program_id, sale }: NewSale) {
  const { is_recurring = false, subscription_id = null } = sale
  const [attribution] = await sql<[{ partner_id: number }]>`
    select attribution.partner_id
    from customers as customer
    cross join (
      values (${is_recurring}::boolean, ${subscription_id}::text)
    ) as input (is_recurring, subscription_id)
    cross join lateral (${saleAttribution}) as attribution
    where customer.id = ${id}
  `
  if (await hasPartner(sql, program_id, attribution.partner_id)) return
  throw new Fault("invalid", "The customer's partner is no longer in this program.")
}
