import { jsonTime } from "../../../lib/outgoing-events"
import { sql } from "../db"

/**
 * Records an outgoing event of each row of `stored`, whose customer is in `customer`. `data` is what
 * showLead returns.
 */
export const recordLeadEvents = sql`
  insert into outgoing_events (program_id, partner_id, customer_id, type, data)
  select
    stored.program_id, stored.partner_id, stored.customer_id, 'lead.created',
    jsonb_build_object(
      'id', stored.id,
      'program_id', stored.program_id,
      'stated_program_id', stored.stated_program_id,
      'click_id', stored.click_id,
      'customer_key', stored.customer_key,
      'email_masked', stored.email_masked,
      'event_name', stored.event_name,
      'partner_id', stored.partner_id,
      'link_id', stored.link_id,
      'click_event_id', stored.click_event_id,
      'session_id', stored.session_id,
      'page_url', stored.page_url,
      'is_test', stored.is_test,
      'lead_timestamp', ${jsonTime(sql, "stored.lead_timestamp")},
      'createdAt', ${jsonTime(sql, "stored.created_at")},
      'customer', jsonb_build_object(
        'id', customer.id,
        'program_id', customer.program_id,
        'click_id', customer.click_id,
        'customer_key', customer.customer_key,
        'customer_status', customer.customer_status,
        'email_masked', customer.email_masked,
        'signup_date', ${jsonTime(sql, "customer.signup_date")},
        'first_purchase_date', ${jsonTime(sql, "customer.first_purchase_date")},
        'partner_id', customer.partner_id,
        'link_id', customer.link_id,
        'click_event_id', customer.click_event_id,
        'attributed_at', ${jsonTime(sql, "customer.attributed_at")},
        'cookie_window_days', customer.window_days,
        'created_at', ${jsonTime(sql, "customer.created_at")}
      )
    )
  from stored
  join customer on customer.id = stored.customer_id
  order by stored.id
`
