import type { Database, Transaction } from "../../../lib/db/database"
import { relation } from "../../../lib/db/relation"
import type { Lead } from "../contract"
import { hashAndMask } from "../customers/email"
import { recordLeadEvents } from "./lead-events"

/**
 * A lead and its customer: either the one with this id, or the one that the click_id names, which
 * also gets the key if there is one.
 */
export type NewLead = { lead: Lead } & (
  | { customer_id: number; program_id: null; click_id: null; customer_key: null }
  | { customer_id: null; program_id: number; click_id: string; customer_key: string | null }
)

const leadRelation = relation<ReturnType<typeof toRow>>({
  customer_id: "bigint",
  program_id: "bigint",
  click_id: "text",
  customer_key: "text",
  email_hash: "text",
  email_masked: "text",
  event_name: "text",
  stated_program_id: "bigint",
})

/**
 * Stores leads and their outgoing events and updates their customers in one statement. Fields that a
 * lead does not send come from its customer and click. Returns the click_ids of the customers whose
 * lead was stored.
 *
 * The statement reads the state at its start. It skips a customer that another transaction has
 * changed since or holds a lock on. It also skips a click_id whose customer is past the status
 * `click`, or whose key may belong to another customer.
 */
export function insertLeads(database: Database | Transaction, leads: NewLead[]) {
  return database<{ click_id: string }[]>`
    with input as materialized ${leadRelation(database, leads.map(toRow))},
    matched as materialized (
      select input.position, customer.id, customer.ctid as version
      from input
      join customers as customer
        on customer.id = input.customer_id
      union all
      select input.position, customer.id, customer.ctid
      from input
      join customers as customer
        on customer.click_id = input.click_id
        and customer.names_click
        and customer.program_id = input.program_id
      where customer.customer_status = 'click'
        and (
          input.customer_key is null
          or customer.customer_key = input.customer_key
          or customer.customer_key is null and not exists (
            select
            from customers
            where program_id = input.program_id
              and customer_key = input.customer_key
          )
        )
    ),
    locked as materialized (
      select matched.position, customer.id, matched.version = customer.ctid as is_unchanged
      from matched
      join customers as customer using (id)
      order by customer.id
      for update of customer skip locked
    ),
    customer as (
      update customers as customer
      set
        customer_status = 'lead',
        signup_date = now(),
        customer_key = coalesce(input.customer_key, customer.customer_key),
        key_is_provisional = customer.key_is_provisional and input.customer_key is null,
        email_hash = coalesce(customer.email_hash, input.email_hash),
        email_masked = coalesce(customer.email_masked, input.email_masked)
      from locked
      join input using (position)
      where customer.id = locked.id
        and locked.is_unchanged
      returning
        input.position, customer.id, customer.program_id, customer.click_id, customer.customer_key,
        customer.partner_id, customer.link_id, customer.click_event_id, customer.attributed_at,
        customer.customer_status, customer.email_masked, customer.signup_date,
        customer.first_purchase_date, customer.window_days, customer.created_at
    ),
    stored as (
      insert into affiliate_lead_events (
        program_id, customer_id, click_id, customer_key, email_hash, email_masked, event_name,
        stated_program_id, session_id, page_url,
        geo_country, device_type, browser_name, referrer_host, sub_id, affiliate_url,
        clicked_at, partner_id, link_id, click_event_id, final_xact
      )
      select
        customer.program_id, customer.id, customer.click_id, customer.customer_key,
        input.email_hash, input.email_masked, input.event_name,
        input.stated_program_id, click.session_id, click.page_url,
        click.geo_country, click.device_type, click.browser_name, click.referrer_host, click.sub_id,
        click.affiliate_url, customer.attributed_at, customer.partner_id, customer.link_id,
        customer.click_event_id, pg_current_xact_id()
      from customer
      join input using (position)
      left join affiliate_click_events as click -- retention may have dropped it
        on click.id = customer.click_event_id
        and click.click_timestamp = customer.attributed_at
      returning *
    ),
    recorded as (${recordLeadEvents})
    select click_id from customer
  `
}

const toRow = ({ lead, ...customer }: NewLead) => ({
  ...customer,
  ...(lead.email ? hashAndMask(lead.email) : { email_hash: null, email_masked: null }),
  event_name: lead.additional_data?.event_name ?? null,
  stated_program_id: lead.additional_data?.program_id ?? null,
})
