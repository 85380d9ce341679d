import type { ReplyOf, RequestOf } from "../../../lib/bus/operation"
import { Fault } from "../../../lib/fault"
import type * as contract from "../contract"
import { sql } from "../db"

/** Hides pending sales. Finds test sales too; `is_test` marks them. */
export async function showSale({ program_id, sale_id }: RequestOf<typeof contract.showSale>) {
  const [sale] = await sql<[ReplyOf<typeof contract.showSale>?]>`
    select
      id, transaction_id, program_id, click_id, customer_key, amount_cents, currency, sale_type,
      payment_status, is_recurring, subscription_id, subscription_interval, product_id,
      line_items, is_test, sale_date, created_at, commission_id
    from affiliate_sale_events
    where id = ${sale_id}
      and program_id = ${program_id}
      and state = 'complete'
  `
  if (!sale) throw new Fault("missing", "Sale not found in this program.")
  return sale
}
