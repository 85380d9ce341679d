import type { RequestOf } from "../../lib/contract"
import { raced, type Transaction } from "../../lib/db"
import { Fault } from "../../lib/fault"
import type * as contract from "./contract"
import type { Lead } from "./contract"
import { bindKey, type Customer, lockCustomer, noCustomer, resolveCustomer } from "./customers"
import { sql } from "./db"
import { hidden } from "./email"

type Asked = RequestOf<typeof contract.recordLead>

/** A backend, with its token, may name any customer of its program; a browser only its own. */
export async function recordLead({ program_id, lead }: Asked) {
  return raced(() =>
    sql.begin(async sql => {
      if (program_id === null) return recordByBrowser(sql, lead)

      await moveToLead(sql, await resolveCustomer(sql, program_id, lead), lead)
      return { is_provisional: false }
    }),
  )
}

/** Without a token the click_id proves attribution, and a key is only a claim. */
async function recordByBrowser(sql: Transaction, lead: Lead) {
  if (!lead.click_id) throw noCustomer()
  const customer = await lockCustomer(sql, lead.click_id)
  if (!customer) throw noCustomer()

  const [program] = await sql<[{ lead_auth: string; status: string }?]>`
    select lead_auth, status
    from programs
    where program_id = ${customer.program_id}
  `
  if (!program || program.status === "archived") throw noCustomer()
  if (program.lead_auth === "server") return { is_provisional: true }

  await claimKey(sql, customer, lead.customer_key)
  await moveToLead(sql, customer, lead)
  return { is_provisional: false }
}

/** Binds the key unless it is somebody else's: a browser must not steal. */
async function claimKey(sql: Transaction, customer: Customer, key: string | undefined) {
  if (!key || customer.customer_key === key) return
  if (customer.customer_key) {
    throw new Fault("invalid", "The click_id belongs to a customer with another customer_key.")
  }
  const [owner] = await sql`
    select 1
    from customers
    where program_id = ${customer.program_id}
      and customer_key = ${key}
  `
  if (!owner) await bindKey(sql, customer.id, key, true)
}

/** One lead event per customer; a repeat makes none, but binds an e-mail that was missing. */
async function moveToLead(sql: Transaction, customer: Customer, lead: Lead) {
  if (customer.customer_status === "conversion") {
    throw new Fault("invalid", "The customer has already converted and cannot become a lead.")
  }
  const email = lead.email ? hidden(lead.email) : { email_hash: null, email_masked: null }
  if (customer.customer_status === "click") await insertLead(sql, customer, lead, email)
  else if (!customer.email_hash && email.email_hash) await bindEmail(sql, customer, email)
}

type HiddenEmail = { email_hash: string | null; email_masked: string | null }

async function bindEmail(sql: Transaction, { id }: Customer, email: HiddenEmail) {
  await sql`
    update customers
    set
      email_hash = ${email.email_hash},
      email_masked = ${email.email_masked}
    where id = ${id}
  `
}

/** The customer moves in the same statement, which finds all but the lead's own fields there. */
async function insertLead(sql: Transaction, { id }: Customer, lead: Lead, email: HiddenEmail) {
  const { event_name = null, program_id = null } = lead.additional_data ?? {}
  await sql`
    with customer as (
      update customers
      set
        customer_status = 'lead',
        signup_date = now(),
        email_hash = coalesce(email_hash, ${email.email_hash}),
        email_masked = coalesce(email_masked, ${email.email_masked})
      where id = ${id}
      returning
        id, program_id, click_id, customer_key, partner_id, link_id, click_event_id, attributed_at
    )
    insert into affiliate_lead_events (
      program_id, customer_id, click_id, customer_key, email_hash, email_masked, event_name,
      stated_program_id, session_id, page_url,
      geo_country, device_type, browser_name, referrer_host, sub_id,
      partner_id, link_id, click_event_id, final_xact
    )
    select
      customer.program_id, customer.id, customer.click_id, customer.customer_key,
      ${email.email_hash}, ${email.email_masked}, ${event_name},
      ${program_id}::bigint, click.session_id, click.page_url,
      click.geo_country, click.device_type, click.browser_name, click.referrer_host, click.sub_id,
      customer.partner_id, customer.link_id, customer.click_event_id, pg_current_xact_id()
    from customer
    left join affiliate_click_events as click -- retention may have dropped it
      on click.id = customer.click_event_id
      and click.click_timestamp = customer.attributed_at
  `
}
