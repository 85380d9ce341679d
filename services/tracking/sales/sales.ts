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
  first_sale_id: number | null // of the subscription that it renews
  click_age_days: number
  window_days: number
  sale_date: string
  state: "pending" | "complete"
  commission_id: number | null
  acknowledged_by: string | null // null: no request has been answered 200
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
  "first_sale_id",
  "click_age_days",
  "window_days",
  "sale_date",
  "state",
  "commission_id",
  "acknowledged_by",
] satisfies (keyof StoredSale)[]

export async function findSale(transaction_id: string) {
  const [sale] = await sql<[StoredSale?]>`
    select ${sql(SALE_COLUMNS)}
    from affiliate_sale_events
    where transaction_id = ${transaction_id}
      and not is_test
  `
  return sale
}

/** Of a sale that is known to be there: nothing deletes one. */
export async function findSaleById(id: number) {
  const [sale] = await sql<[StoredSale]>`
    select ${sql(SALE_COLUMNS)}
    from affiliate_sale_events
    where id = ${id}
  `
  return sale
}
