import { jsonTime } from "../../../lib/outgoing-events"
import { sql } from "../db"

/**
 * Records an outgoing event of each row of `sale` that this transaction has made final: one that was
 * complete before has an older transaction. `data` is what showSale returns.
 */
export const recordSaleEvents = sql`
  insert into outgoing_events (program_id, partner_id, customer_id, type, data)
  select
    program_id, partner_id, customer_id, 'sale.recorded',
    jsonb_build_object(
      'id', id,
      'transaction_id', transaction_id,
      'program_id', program_id,
      'click_id', click_id,
      'customer_key', customer_key,
      'amount_cents', amount_cents,
      'currency', currency,
      'sale_type', sale_type,
      'payment_status', payment_status,
      'is_recurring', is_recurring,
      'subscription_id', subscription_id,
      'subscription_interval', subscription_interval,
      'product_id', product_id,
      'line_items', line_items,
      'is_test', is_test,
      'sale_date', ${jsonTime(sql, "sale_date")},
      'createdAt', ${jsonTime(sql, "created_at")},
      'commission_id', commission_id
    )
  from sale
  where final_xact = pg_current_xact_id()
  order by id
`
