import { inBatches } from "../../../lib/batch"
import type { Transaction } from "../../../lib/db/database"
import { retryOnConflict } from "../../../lib/db/pool"
import { Fault, isLockedOut } from "../../../lib/fault"
import type { Sale } from "../contract"
import { resolveCustomer } from "../customers/customers"
import { batches_sql, sql } from "../db"
import { hasPartner } from "../programs/partners"
import { insertSales, type NewSale, origin } from "./insert-sales"
import type { StoredSale } from "./sales"

/**
 * Stores a sale as storeInTransaction does, but together with others and without a transaction: no
 * lock outlives a round trip. Undefined where that cannot be, as where the customer has to be found
 * out or bound first.
 */
export async function storeAmongOthers(asked: NewSale): Promise<StoredSale | undefined> {
  if (isRenewal(asked.sale)) return undefined // its first sale may be under way
  return storeTogether(asked).catch(error => {
    if (isLockedOut(error)) return undefined // by itself it may wait for longer
    throw error
  })
}

const isRenewal = ({ is_recurring, subscription_id }: Sale) =>
  Boolean(is_recurring && subscription_id)

/** A transaction_id that comes twice is stored once: both have the same sale then. */
const storeTogether = inBatches("sales", async (asked: NewSale[]) => {
  const sales = asked.map(sale => ({ ...sale, customer_id: null }))
  const stored = await retryOnConflict(() => insertSales(batches_sql, sales))
  const storedBy = Map.groupBy(stored, nameOf)
  return asked.map(({ program_id, sale: { transaction_id } }) =>
    storedBy.get(nameOf({ program_id, transaction_id }))?.at(0),
  )
})

const nameOf = ({
  program_id,
  transaction_id,
}: Pick<StoredSale, "program_id" | "transaction_id">) => `${program_id} ${transaction_id}`

/**
 * Stores a sale as pending, with its customer, partner, window and time as they are now. Undefined
 * where the transaction_id is taken: nothing is kept then. Faults: invalid (no customer, or its
 * partner is none of the program any more).
 */
export async function storeInTransaction(asked: NewSale) {
  const store = async (sql: Transaction) => {
    const { id } = await resolveCustomer(sql, asked.program_id, asked.sale)
    const [stored] = await insertSales(sql, [{ ...asked, customer_id: id }])
    if (stored) return stored
    await refuseWithoutPartner(sql, id, asked)
    throw TAKEN
  }
  return sql.begin(store).catch(error => {
    if (error === TAKEN) return undefined
    throw error
  })
}

const TAKEN = Symbol("the transaction_id is taken")

/** Why nothing was stored; the other reason is a state, which comes after this (contract 1). */
async function refuseWithoutPartner(sql: Transaction, id: number, { program_id, sale }: NewSale) {
  const { is_recurring = false, subscription_id = null } = sale
  const [owed] = await sql<[{ partner_id: number }]>`
    select origin.partner_id
    from customers as customer
    cross join (
      values (${is_recurring}::boolean, ${subscription_id}::text)
    ) as asked (is_recurring, subscription_id)
    cross join lateral (${origin}) as origin
    where customer.id = ${id}
  `
  if (await hasPartner(sql, program_id, owed.partner_id)) return
  throw new Fault("invalid", "The customer has no partner-program relationship in this program.")
}
