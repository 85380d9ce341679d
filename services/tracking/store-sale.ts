import type { Database, Fragment, Transaction } from "../../lib/db"
import { Fault } from "../../lib/fault"
import type { Sale } from "./contract"
import { resolveCustomer } from "./customers"
import { sql } from "./db"
import { hasPartner } from "./partners"
import { wakeRefunds } from "./processor-payments"
import { SALE_COLUMNS, type StoredSale } from "./sales"

export type NewSale = { program_id: number; sale: Sale; request_hash: string }

/**
 * Stores a sale as storeInTransaction does, but without one: no lock outlives a round trip.
 * Undefined where that cannot be, as where the customer has to be found out or bound first.
 */
export async function storeInOneStatement(asked: NewSale) {
  if (isRenewal(asked.sale)) return undefined // its first sale may be under way
  const [stored] = await writeSale(sql, namedBeyondDoubt(asked), asked)
  return stored
}

/**
 * Stores a sale as pending, with its customer, partner, window and time as they are now. Undefined
 * where the transaction_id is taken: nothing is kept then. Faults: invalid (no customer, or its
 * partner is none of the program any more).
 */
export async function storeInTransaction(asked: NewSale) {
  const store = async (sql: Transaction) => {
    const { id } = await resolveCustomer(sql, asked.program_id, asked.sale)
    const [stored] = await writeSale(sql, sql`id = ${id}`, asked)
    if (stored) return stored
    await refuseWithoutPartner(sql, id, asked)
    throw TAKEN
  }
  return sql.begin(store).catch(error => {
    if (error === TAKEN) return undefined
    throw error
  })
}

const TAKEN = Symbol("the transaction_id is taken")

/** Why nothing was stored; the other reason is a state, which comes after this (contract 1). */
async function refuseWithoutPartner(sql: Transaction, id: number, { program_id, sale }: NewSale) {
  const [origin] = await sql<[{ partner_id: number }]>`
    select origin.partner_id
    from customers as customer
    cross join lateral (${originOf(sale)}) as origin
    where customer.id = ${id}
  `
  if (await hasPartner(sql, program_id, origin.partner_id)) return
  throw new Fault("invalid", "The customer has no partner-program relationship in this program.")
}

/** Whom a sale names beyond doubt. Of all others, resolveCustomer finds out who is meant. */
const namedBeyondDoubt = ({ program_id, sale: { customer_key, click_id } }: NewSale) =>
  customer_key
    ? sql`
        (program_id, customer_key) = (${program_id}::bigint, ${customer_key}::text)
          and not key_is_provisional
      `
    : sql`program_id = ${program_id} and click_id = ${click_id ?? null} and names_click`

/**
 * All that a sale writes, in one statement. It locks the customer, and shares the lock of the
 * program's row, which a change of the currency takes for itself: a sale fixes the currency.
 * What it finds beside these locks is as of its start. A newer click may have taken the customer
 * while it waited: such a click it does not see, so it stores nothing.
 */
const writeSale = (
  sql: Database | Transaction,
  whichCustomer: Fragment,
  { program_id, sale, request_hash }: NewSale,
) => sql<[StoredSale?]>`
  with customer as materialized (
    select
      id, program_id, click_id, customer_key, partner_id, link_id, click_event_id, attributed_at,
      window_days
    from customers
    where ${whichCustomer}
    for update
  ),
  stored as (
    insert into affiliate_sale_events (
      program_id, customer_id, click_id, customer_key, transaction_id, request_hash,
      amount_cents, currency, sale_type, line_items, is_recurring, subscription_id,
      subscription_interval, product_id, partner_id, link_id, click_event_id, first_sale_id,
      click_age_days, window_days, is_attributed, state,
      geo_country, device_type, browser_name, referrer_host, sub_id
    )
    select
      customer.program_id, customer.id, customer.click_id, customer.customer_key,
      ${sale.transaction_id}, ${request_hash}, ${sale.amount_cents}, ${sale.currency ?? "USD"},
      ${sale.sale_type ?? "payment"}, ${sale.line_items ? sql.json(sale.line_items as never) : null},
      ${sale.is_recurring ?? false}, ${sale.subscription_id ?? null},
      ${sale.subscription_interval ?? null}, ${sale.product_id ?? null},
      origin.partner_id, origin.link_id, origin.click_event_id, origin.first_sale_id,
      floor(extract(epoch from now() - customer.attributed_at) / 86400), customer.window_days,
      origin.first_sale_id is not null
        or now() <= customer.attributed_at + customer.window_days * interval '1 day',
      'pending',
      origin.geo_country, origin.device_type, origin.browser_name, origin.referrer_host,
      origin.sub_id
    from customer
    join customers as seen -- as of the start
      on seen.id = customer.id
      and seen.click_event_id = customer.click_event_id
    join programs as program on program.program_id = customer.program_id
    cross join lateral (${originOf(sale)}) as origin
    where (
      select status
      from partner_programs
      where program_id = customer.program_id
        and partner_id = origin.partner_id
    ) <> 'removed'
    for share of program
    on conflict (transaction_id) where not is_test do nothing
    returning ${sql(SALE_COLUMNS)}
  ),
  settled as (${settlingCustomer}),
  woken as (
    ${wakeRefunds(sql, program_id, sale.transaction_id)}
      and exists (select from stored)
  )
  select ${sql(SALE_COLUMNS)}
  from stored
`

/** What a sale is owed to: a renewal to its subscription's first sale, any other to a click. */
const originOf = (sale: Sale) =>
  isRenewal(sale)
    ? sql`
        (${firstSale(sale)})
        union all
        (${customersClick})
        order by first_sale_id nulls last
        limit 1
      `
    : customersClick

const isRenewal = ({ is_recurring, subscription_id }: Sale) =>
  Boolean(is_recurring && subscription_id)

/** It has kept what its click was like. */
const firstSale = ({ subscription_id }: Sale) => sql`
  select
    partner_id, link_id, click_event_id, id as first_sale_id,
    geo_country, device_type, browser_name, referrer_host, sub_id
  from affiliate_sale_events
  where program_id = customer.program_id
    and subscription_id = ${subscription_id ?? null}
    and is_attributed
    and first_sale_id is null
    and not is_test
  order by id
  limit 1
`

/** The customer's; what it was like is unknown where retention has dropped it. */
const customersClick = sql`
  select
    customer.partner_id, customer.link_id, customer.click_event_id, null::bigint as first_sale_id,
    geo_country, device_type, browser_name, referrer_host, sub_id
  from (values (1)) as sale
  left join affiliate_click_events as click
    on click.id = customer.click_event_id
    and click.click_timestamp = customer.attributed_at
`

/**
 * From its first attributed conversion on, newer clicks do not move the customer. A renewal is
 * owed to another sale, and says nothing of the click that the customer has now.
 */
const settlingCustomer = sql`
  update customers
  set is_settled = true
  from stored
  where customers.id = stored.customer_id
    and stored.is_attributed
    and stored.first_sale_id is null
    and not customers.is_settled
`
