import type { Database, Fragment, Transaction } from "../../../lib/db/database"
import { sql as fragment } from "../db"

const CLICKS_MAX = 2_000

/** The values that identify a customer. */
export type Identifiers = {
  program_id: number
  customer_id: number
  customer_key: string
  email_hash: string | null
  click_id: string | null // null: shared with another customer, who keeps it
}

/**
 * Clears what could identify a person, a browser or a visit. Country, device type and browser stay,
 * because thousands share them.
 */
const CLEARED_CLICK_COLUMNS = fragment`
  click_id = null, affiliate_url = null, page_url = null, page_title = null, referrer_url = null,
  session_id = null, existing_click_id = null, user_agent = null, screen_resolution = null,
  viewport_size = null, language = null, timezone = null, geo_region = null, geo_city = null
`

/** Anonymizes all clicks of a customer, in short statements: there may be years of them. */
export async function anonymizeClicks(sql: Database | Transaction, customer_id: number) {
  let anonymized: { count: number }
  do {
    anonymized = await sql`
      update affiliate_click_events
      set ${CLEARED_CLICK_COLUMNS}
      where id in (
        select id
        from affiliate_click_events
        where customer_id = ${customer_id}
          and existing_click_id is not null -- true of all clicks but the first
        limit ${CLICKS_MAX}
      )
    `
  } while (anonymized.count === CLICKS_MAX)
  await sql`
    update affiliate_click_events
    set ${CLEARED_CLICK_COLUMNS}
    where customer_id = ${customer_id}
      and click_timestamp = (select created_at from customers where id = ${customer_id})
  `
}

/** Anonymizes a customer, its leads and its sales. A pending sale still completes. */
export async function anonymizeCustomer(sql: Transaction, { customer_id, click_id }: Identifiers) {
  await sql`
    update customers
    set
      click_id = null, names_click = false, customer_key = null, key_is_provisional = false,
      email_hash = null, email_masked = null
    where id = ${customer_id}
  `
  await anonymizeLeads(sql, sql`customer_id = ${customer_id} and not is_test`)
  await anonymizeSales(sql, sql`customer_id = ${customer_id}`)
  await sql`
    update affiliate_click_events
    set existing_click_id = null
    where existing_click_id = ${click_id}
      and existing_click_id <> click_id -- for example in another program
  `
}

/** Anonymizes test events that carry an identifier of the customer. They reference no customer. */
export async function anonymizeTests(sql: Transaction, identifiers: Identifiers) {
  const { program_id, customer_key, click_id, email_hash } = identifiers
  const ownTests = sql`program_id = ${program_id} and is_test`
  const isNamed = sql`customer_key = ${customer_key} or click_id = ${click_id}`

  await anonymizeLeads(sql, sql`${ownTests} and (${isNamed} or email_hash = ${email_hash})`)
  await anonymizeSales(sql, sql`${ownTests} and (${isNamed})`)
  await sql`
    update affiliate_click_events
    set ${CLEARED_CLICK_COLUMNS}
    where ${ownTests}
      and existing_click_id = ${click_id}
  `
}

/**
 * Removes what identifies the customer from outgoing events of its leads and sales. The feed sends
 * them again, so that delivery anonymizes its copies.
 */
export const anonymizeOutgoingEvents = (sql: Transaction, { customer_id }: Identifiers) => sql`
  update outgoing_events
  set
    data = data || case type
      when 'lead.created' then jsonb_build_object(
        'click_id', null, 'customer_key', null, 'email_masked', null, 'event_name', null,
        'session_id', null, 'page_url', null,
        'customer', data -> 'customer'
          || '{"click_id": null, "customer_key": null, "email_masked": null}'
      )
      else '{"click_id": null, "customer_key": null, "line_items": null, "subscription_id": null}'
    end,
    final_xact = pg_current_xact_id()
  where customer_id = ${customer_id}
`

/** Removes the customer's click_id from calls to the tracking endpoints. */
export const anonymizeCalls = (sql: Transaction, { program_id, click_id }: Identifiers) => sql`
  update tracking_calls
  set fields = fields || '{"click_id": null}'
  where program_id = ${program_id}
    and fields ->> 'click_id' = ${click_id}
`

/**
 * Removes the key from leads and sales of other customers: a browser may have bound it to them
 * before a backend corrected that. Returns the customers of these leads, whose keys the feed sent.
 */
export async function removeKey(sql: Transaction, { program_id, customer_key }: Identifiers) {
  const sales = await sql<{ customer_id: number }[]>`
    update affiliate_sale_events
    set customer_key = null
    where program_id = ${program_id} and customer_key = ${customer_key}
    returning customer_id
  `
  const leads = await sql<{ customer_id: number }[]>`
    update affiliate_lead_events
    set customer_key = null
    where program_id = ${program_id} and customer_key = ${customer_key}
    returning customer_id
  `
  const others = [...sales, ...leads].map(({ customer_id }) => customer_id)
  await removeKeyFromEvents(sql, customer_key, others)
  return leads.map(({ customer_id }) => customer_id)
}

/** The event of a lead holds the key twice. The feed sends the events again. */
const removeKeyFromEvents = (sql: Transaction, customer_key: string, customer_ids: number[]) => sql`
  update outgoing_events
  set
    data = data || '{"customer_key": null}' || case type
      when 'lead.created' then jsonb_build_object(
        'customer', data -> 'customer' || '{"customer_key": null}'
      )
      else '{}'
    end,
    final_xact = pg_current_xact_id()
  where customer_id = any (${customer_ids}::bigint[])
    and data ->> 'customer_key' = ${customer_key}
`

async function anonymizeLeads(sql: Transaction, condition: Fragment) {
  await sql`
    update affiliate_lead_events
    set
      click_id = null, customer_key = null, email_hash = null, email_masked = null,
      event_name = null, session_id = null, page_url = null, affiliate_url = null
    where ${condition}
  `
}

/** Keeps transaction_id and amounts, which the books and refunds need. */
async function anonymizeSales(sql: Transaction, condition: Fragment) {
  await sql`
    update affiliate_sale_events
    set
      click_id = null, customer_key = null, line_items = null, subscription_id = null,
      affiliate_url = null,
      request_hash = '' -- it covers the identifiers too
    where ${condition}
  `
}
