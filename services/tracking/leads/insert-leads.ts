import { columnsOf } from "../../../lib/db/columns"
import type { Database, Transaction } from "../../../lib/db/database"
import type { Lead } from "../contract"
import { hidden } from "../customers/email"

/**
 * Whose lead it is: the customer with this id, or whoever clicked first under this click_id, who
 * gets the key, if there is one.
 */
export type NewLead = { lead: Lead } & (
  | { customer_id: number; program_id: null; click_id: null; customer_key: null }
  | { customer_id: null; program_id: number; click_id: string; customer_key: string | null }
)

/**
 * All that leads write, in one statement: it moves the customers, and finds all but the lead's own
 * fields there. Returns whose lead was stored.
 *
 * What it finds is as of its start. Of a customer whom somebody else has changed meanwhile, or holds
 * at this moment, it stores nothing; nor of one who is no mere click any more, or whose key has to
 * be found out.
 */
export function insertLeads(database: Database | Transaction, leads: NewLead[]) {
  const column = columnsOf(leads.map(asRow))

  return database<{ click_id: string }[]>`
    with asked as materialized (
      select *
      from unnest(
        ${column("customer_id")}::bigint[],
        ${column("program_id")}::bigint[],
        ${column("click_id")}::text[],
        ${column("customer_key")}::text[],
        ${column("email_hash")}::text[],
        ${column("email_masked")}::text[],
        ${column("event_name")}::text[],
        ${column("stated_program_id")}::bigint[]
      ) with ordinality as asked (
        customer_id, program_id, click_id, customer_key, email_hash, email_masked, event_name,
        stated_program_id, position
      )
    ),
    named as materialized (
      select asked.position, customer.id, customer.ctid as version
      from asked
      join customers as customer
        on customer.id = asked.customer_id
      union all
      select asked.position, customer.id, customer.ctid
      from asked
      join customers as customer
        on customer.click_id = asked.click_id
        and customer.names_click
        and customer.program_id = asked.program_id
      where customer.customer_status = 'click'
        and (
          asked.customer_key is null
          or customer.customer_key = asked.customer_key
          or customer.customer_key is null and not exists (
            select
            from customers
            where program_id = asked.program_id
              and customer_key = asked.customer_key
          )
        )
    ),
    locked as materialized (
      select named.position, customer.id, named.version = customer.ctid as is_as_named
      from named
      join customers as customer using (id)
      order by customer.id
      for update of customer skip locked
    ),
    customer as (
      update customers as customer
      set
        customer_status = 'lead',
        signup_date = now(),
        customer_key = coalesce(asked.customer_key, customer.customer_key),
        key_is_provisional = customer.key_is_provisional and asked.customer_key is null,
        email_hash = coalesce(customer.email_hash, asked.email_hash),
        email_masked = coalesce(customer.email_masked, asked.email_masked)
      from locked
      join asked using (position)
      where customer.id = locked.id
        and locked.is_as_named
      returning
        asked.position, customer.id, customer.program_id, customer.click_id, customer.customer_key,
        customer.partner_id, customer.link_id, customer.click_event_id, customer.attributed_at
    ),
    stored as (
      insert into affiliate_lead_events (
        program_id, customer_id, click_id, customer_key, email_hash, email_masked, event_name,
        stated_program_id, session_id, page_url,
        geo_country, device_type, browser_name, referrer_host, sub_id,
        partner_id, link_id, click_event_id, final_xact
      )
      select
        customer.program_id, customer.id, customer.click_id, customer.customer_key,
        asked.email_hash, asked.email_masked, asked.event_name,
        asked.stated_program_id, click.session_id, click.page_url,
        click.geo_country, click.device_type, click.browser_name, click.referrer_host, click.sub_id,
        customer.partner_id, customer.link_id, customer.click_event_id, pg_current_xact_id()
      from customer
      join asked using (position)
      left join affiliate_click_events as click -- retention may have dropped it
        on click.id = customer.click_event_id
        and click.click_timestamp = customer.attributed_at
    )
    select click_id from customer
  `
}

const asRow = ({ lead, ...named }: NewLead) => ({
  ...named,
  ...(lead.email ? hidden(lead.email) : { email_hash: null, email_masked: null }),
  event_name: lead.additional_data?.event_name ?? null,
  stated_program_id: lead.additional_data?.program_id ?? null,
})
