import { sql } from "../db"

/** Ids of sales only grow, so a sale stored after the reply has a greater one. */
export async function findLastSale() {
  const [{ sale_id }] = await sql<[{ sale_id: number }]>`
    select coalesce(max(id), 0) as sale_id
    from affiliate_sale_events
  `
  return { sale_id }
}
