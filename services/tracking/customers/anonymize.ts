import type { Database, Fragment, Transaction } from "../../../lib/db/database"
import { sql as fragment } from "../db"

const STRIPPED_MAX = 2_000

/** What a customer is called. */
export type Names = {
  program_id: number
  customer_id: number
  customer_key: string
  email_hash: string | null
  click_id: string | null // null: it shares that of another customer, who keeps it
}

/**
 * What would tell a person, a browser or its way apart from others goes. Country, kind of device
 * and browser stay: thousands have the same.
 */
const WITHOUT_TRACES = fragment`
  click_id = null, affiliate_url = null, page_url = null, page_title = null, referrer_url = null,
  session_id = null, existing_click_id = null, user_agent = null, screen_resolution = null,
  viewport_size = null, language = null, timezone = null, geo_region = null, geo_city = null
`

/** In steps, each of which is soon done: somebody may have clicked for years. */
export async function stripClicks(sql: Database | Transaction, customer_id: number) {
  let stripped: { count: number }
  do {
    stripped = await sql`
      update affiliate_click_events
      set ${WITHOUT_TRACES}
      where id in (
        select id
        from affiliate_click_events
        where customer_id = ${customer_id}
          and existing_click_id is not null -- by which it was known: all of its clicks but the first
        limit ${STRIPPED_MAX}
      )
    `
  } while (stripped.count === STRIPPED_MAX)
  await sql`
    update affiliate_click_events
    set ${WITHOUT_TRACES}
    where customer_id = ${customer_id}
      and click_timestamp = (select created_at from customers where id = ${customer_id})
  `
}

/** Its clicks apart. A sale that is pending goes on without the names. */
export async function stripCustomer(sql: Transaction, { customer_id, click_id }: Names) {
  await sql`
    update customers
    set
      click_id = null, names_click = false, customer_key = null, key_is_provisional = false,
      email_hash = null, email_masked = null
    where id = ${customer_id}
  `
  await stripLeads(sql, sql`customer_id = ${customer_id} and not is_test`)
  await stripSales(sql, sql`customer_id = ${customer_id}`)
  await sql`
    update affiliate_click_events
    set existing_click_id = null
    where existing_click_id = ${click_id}
      and existing_click_id <> click_id -- in another program, say
  `
}

/** Tests name no customer; these were made under one of its names. */
export async function stripTests(sql: Transaction, names: Names) {
  const { program_id, customer_key, click_id, email_hash } = names
  const ours = sql`program_id = ${program_id} and is_test`
  const called = sql`customer_key = ${customer_key} or click_id = ${click_id}`

  await stripLeads(sql, sql`${ours} and (${called} or email_hash = ${email_hash})`)
  await stripSales(sql, sql`${ours} and (${called})`)
  await sql`
    update affiliate_click_events
    set ${WITHOUT_TRACES}
    where ${ours}
      and existing_click_id = ${click_id}
  `
}

/**
 * Other customers may have been called by the same key, until a backend knew better: their rows
 * lose it. Says who has a lead among these rows, since that one was told.
 */
export async function stripKey(sql: Transaction, { program_id, customer_key }: Names) {
  await sql`
    update affiliate_sale_events
    set customer_key = null
    where program_id = ${program_id} and customer_key = ${customer_key}
  `
  const leads = await sql<{ customer_id: number }[]>`
    update affiliate_lead_events
    set customer_key = null
    where program_id = ${program_id} and customer_key = ${customer_key}
    returning customer_id
  `
  return leads.map(({ customer_id }) => customer_id)
}

async function stripLeads(sql: Transaction, which: Fragment) {
  await sql`
    update affiliate_lead_events
    set
      click_id = null, customer_key = null, email_hash = null, email_masked = null,
      event_name = null, session_id = null, page_url = null
    where ${which}
  `
}

/** The transaction_id and the money are the books': a refund still finds them. */
async function stripSales(sql: Transaction, which: Fragment) {
  await sql`
    update affiliate_sale_events
    set
      click_id = null, customer_key = null, line_items = null, subscription_id = null,
      request_hash = '' -- of the names, among the rest
    where ${which}
  `
}
