import type { Transaction } from "../../lib/db"
import { Fault } from "../../lib/fault"
import type { Sale } from "./contract"
import { type Customer, resolveCustomer } from "./customers"
import { sql } from "./db"
import { hasPartner } from "./partners"
import { wakeRefunds } from "./processor-payments"
import { SALE_COLUMNS, type StoredSale } from "./sales"

/**
 * Stores a sale as pending, with its customer, partner, window and time as they are now. Nothing
 * of it is kept when another call takes the transaction_id first: then the answer is undefined.
 */
export async function storeSale(program_id: number, sale: Sale, request_hash: string) {
  const store = async (sql: Transaction) => {
    await shareProgram(sql, program_id)
    const customer = await resolveCustomer(sql, program_id, sale)
    const origin = await originOf(sql, customer, sale)
    if (!(await hasPartner(sql, program_id, origin.partner_id))) throw noPartner()

    const stored = await insertSale(sql, customer, origin, sale, request_hash)
    if (!stored) throw TAKEN
    await wakeRefunds(sql, program_id, stored.transaction_id)
    if (stored.is_attributed && !stored.first_sale_id) await settle(sql, customer)
    return stored
  }
  return sql.begin(store).catch(error => {
    if (error === TAKEN) return undefined
    throw error
  })
}

const TAKEN = Symbol("another call has taken the transaction_id")

/** A sale fixes the program's currency: its change takes the same row for itself. */
async function shareProgram(sql: Transaction, program_id: number) {
  const [program] = await sql`
    select 1
    from programs
    where program_id = ${program_id}
    for share
  `
  if (!program) throw new Error("A token names a program that tracking was never told of.")
}

type Origin = {
  partner_id: number
  link_id: number
  click_event_id: number
  first_sale_id: number | null
}

/** What the sale is owed to: a renewal to its subscription's first sale, any other to a click. */
async function originOf(sql: Transaction, customer: Customer, sale: Sale): Promise<Origin> {
  if (!sale.is_recurring || !sale.subscription_id) return { ...customer, first_sale_id: null }

  const [first] = await sql<[Origin?]>`
    select partner_id, link_id, click_event_id, id as first_sale_id
    from affiliate_sale_events
    where program_id = ${customer.program_id}
      and subscription_id = ${sale.subscription_id}
      and is_attributed
      and first_sale_id is null
      and not is_test
    order by id
    limit 1
  `
  return first ?? { ...customer, first_sale_id: null }
}

async function insertSale(
  sql: Transaction,
  customer: Customer,
  origin: Origin,
  sale: Sale,
  request_hash: string,
) {
  const { transaction_id, amount_cents, currency = "USD", sale_type = "payment" } = sale
  const clicked = sql`${customer.attributed_at}::timestamptz`
  const [stored] = await sql<[StoredSale?]>`
    insert into affiliate_sale_events (
      program_id, customer_id, click_id, customer_key, transaction_id, request_hash,
      amount_cents, currency, sale_type, line_items, is_recurring, subscription_id,
      subscription_interval, product_id, partner_id, link_id, click_event_id, first_sale_id,
      click_age_days, window_days, is_attributed, state,
      geo_country, device_type, browser_name, referrer_host, sub_id
    )
    select
      ${customer.program_id}, ${customer.id}, ${customer.click_id}, ${customer.customer_key},
      ${transaction_id}, ${request_hash}, ${amount_cents}, ${currency}, ${sale_type},
      ${sale.line_items ? sql.json(sale.line_items as never) : null},
      ${sale.is_recurring ?? false}, ${sale.subscription_id ?? null},
      ${sale.subscription_interval ?? null}, ${sale.product_id ?? null},
      ${origin.partner_id}, ${origin.link_id}, ${origin.click_event_id}, ${origin.first_sale_id},
      floor(extract(epoch from now() - ${clicked}) / 86400), ${customer.window_days},
      ${origin.first_sale_id !== null}
        or now() <= ${clicked} + ${customer.window_days} * interval '1 day',
      'pending',
      visit.geo_country, visit.device_type, visit.browser_name, visit.referrer_host, visit.sub_id
    from (values (1)) as sale
    left join lateral (${visitBehind(sql, customer, origin)}) as visit on true
    on conflict (transaction_id) where not is_test do nothing
    returning ${sql(SALE_COLUMNS)}
  `
  return stored
}

/** What the attributing click was like: for a renewal, as the first sale has kept it. */
const visitBehind = (sql: Transaction, { attributed_at }: Customer, origin: Origin) =>
  origin.first_sale_id
    ? sql`
        select geo_country, device_type, browser_name, referrer_host, sub_id
        from affiliate_sale_events
        where id = ${origin.first_sale_id}
      `
    : sql`
        select geo_country, device_type, browser_name, referrer_host, sub_id
        from affiliate_click_events -- retention may have dropped it
        where id = ${origin.click_event_id}
          and click_timestamp = ${attributed_at}
      `

/** From its first attributed conversion on, newer clicks do not move the customer. A renewal is
 * owed to another sale, and says nothing of the click that the customer has now. */
async function settle(sql: Transaction, { id }: Customer) {
  await sql`
    update customers
    set is_settled = true
    where id = ${id}
      and not is_settled
  `
}

const noPartner = () =>
  new Fault("invalid", "The customer has no partner-program relationship in this program.")
