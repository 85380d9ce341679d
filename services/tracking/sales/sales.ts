import { sql } from "../db"

export type StoredSale = {
  id: number
  program_id: number
  customer_id: number
  partner_id: number
  transaction_id: string
  request_hash: string
  amount_cents: number
  currency: string
  product_id: string | null
  is_attributed: boolean
  partner_version: number | null // when it was stored; null: by an older version of tracking
  first_sale_id: number | null // of the renewed subscription; null: not a renewal
  click_age_days: number
  window_days: number
  sale_date: string
  state: "pending" | "complete"
  commission_id: number | null
  acknowledged_by: string | null // the request that got 200; null: none yet
}

export const SALE_COLUMNS = [
  "id",
  "program_id",
  "customer_id",
  "partner_id",
  "transaction_id",
  "request_hash",
  "amount_cents",
  "currency",
  "product_id",
  "is_attributed",
  "partner_version",
  "first_sale_id",
  "click_age_days",
  "window_days",
  "sale_date",
  "state",
  "commission_id",
  "acknowledged_by",
] satisfies (keyof StoredSale)[]

/** Finds a sale of a program by transaction_id, pending ones included, test sales not. */
export async function findSale(program_id: number, transaction_id: string) {
  const [sale] = await sql<[StoredSale?]>`
    select ${sql(SALE_COLUMNS)}
    from affiliate_sale_events
    where transaction_id = ${transaction_id}
      and program_id = ${program_id}
      and not is_test
  `
  return sale
}

/** Whether any program has recorded a sale with this transaction_id. */
export async function isRecorded(transaction_id: string): Promise<boolean> {
  const [sale] = await sql`
    select 1
    from affiliate_sale_events
    where transaction_id = ${transaction_id}
      and not is_test
  `
  return sale !== undefined
}

/** Returns a sale by an id that is known to exist: sales are never deleted. */
export async function findSaleById(id: number) {
  const [sale] = await sql<[StoredSale]>`
    select ${sql(SALE_COLUMNS)}
    from affiliate_sale_events
    where id = ${id}
  `
  return sale
}
