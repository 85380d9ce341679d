import type { Transaction } from "../../../lib/db/database"
import { Fault } from "../../../lib/fault"

export type Customer = {
  id: number
  program_id: number
  click_id: string
  names_click: boolean
  customer_key: string | null
  key_is_provisional: boolean
  email_hash: string | null
  customer_status: "click" | "lead" | "conversion"
  partner_id: number
  link_id: number
  click_event_id: number
  attributed_at: string
  window_days: number
}

type CustomerReference = { customer_key?: string; click_id?: string }

/**
 * Finds the customer that an advertiser's backend names, locks it and binds the given key to it
 * (behaviour 4.2.3). The key wins over the click_id. Throws "invalid".
 */
export async function resolveCustomer(
  sql: Transaction,
  program_id: number,
  reference: CustomerReference,
) {
  if (!reference.customer_key && !reference.click_id) {
    throw new Fault("invalid", "Send a click_id or a customer_key.")
  }
  const { byKey, byClick } = await lockCustomers(sql, program_id, reference)

  if (byKey && !(byKey.key_is_provisional && isOtherCustomer(byKey, byClick))) {
    const isConfirmed = byKey.key_is_provisional && byKey.click_id === reference.click_id
    if (isConfirmed) await bindKey(sql, byKey.id, byKey.customer_key)
    return byKey
  }
  if (!byClick) throw unknownCustomer()
  if (byClick.program_id !== program_id) {
    throw new Fault("invalid", "The customer belongs to another program.")
  }
  if (byKey) await bindKey(sql, byKey.id, null) // a browser bound it; the backend wins

  const { customer_key } = reference
  if (!customer_key || byClick.customer_key === customer_key) return byClick
  if (byClick.customer_key) return insertSecondCustomer(sql, byClick, customer_key)
  await bindKey(sql, byClick.id, customer_key)
  return { ...byClick, customer_key }
}

/** Locks and returns the customer that a click_id names. Undefined: there is none. */
export async function lockCustomer(sql: Transaction, click_id: string) {
  return (await lockCustomers(sql, null, { click_id })).byClick
}

/** Sets the key of a customer. Null: removes it. Provisional: a browser sent it. */
export async function bindKey(
  sql: Transaction,
  customer_id: number,
  customer_key: string | null,
  key_is_provisional = false,
) {
  await sql`
    update customers
    set
      customer_key = ${customer_key},
      key_is_provisional = ${key_is_provisional}
    where id = ${customer_id}
  `
}

export const unknownCustomer = () =>
  new Fault("invalid", "No customer has this click_id or customer_key.")

/** Locks both customers in one query, in the order of ids, which avoids deadlocks. */
async function lockCustomers(
  sql: Transaction,
  program_id: number | null,
  reference: CustomerReference,
) {
  const { customer_key, click_id } = reference
  const customers = await sql<Customer[]>`
    select
      id, program_id, click_id, names_click, customer_key, key_is_provisional, email_hash,
      customer_status, partner_id, link_id, click_event_id, attributed_at, window_days
    from customers
    where ${matches(sql, program_id, reference)}
    order by id
    for update
  `
  return {
    byKey: customers.find(
      customer => customer.program_id === program_id && customer.customer_key === customer_key,
    ),
    byClick: customers.find(customer => customer.click_id === click_id && customer.names_click),
  }
}

/** Leaves out absent fields: PostgreSQL would plan a statement with null parameters each time. */
function matches(
  sql: Transaction,
  program_id: number | null,
  { customer_key, click_id }: CustomerReference,
) {
  const hasKey = sql`
    (program_id, customer_key) = (${program_id}::bigint, ${customer_key ?? null}::text)
  `
  if (!click_id) return hasKey
  const hasClick = sql`click_id = ${click_id} and names_click`
  return customer_key ? sql`${hasKey} or (${hasClick})` : hasClick
}

/** Whether the click_id sent with a key belongs to another customer of the same program. */
const isOtherCustomer = (byKey: Customer, byClick: Customer | undefined) =>
  byClick?.program_id === byKey.program_id && byClick.click_id !== byKey.click_id

/** Creates the customer of a second person at a shared browser, with the same attribution. */
async function insertSecondCustomer(sql: Transaction, first: Customer, customer_key: string) {
  const [second] = await sql<[{ id: number }]>`
    insert into customers (
      program_id, click_id, names_click, customer_key,
      partner_id, link_id, click_event_id, attributed_at, window_days
    )
    values (
      ${first.program_id}, ${first.click_id}, false, ${customer_key},
      ${first.partner_id}, ${first.link_id}, ${first.click_event_id},
      ${first.attributed_at}, ${first.window_days}
    )
    returning id
  `
  const fresh = { names_click: false, key_is_provisional: false, email_hash: null }
  return { ...first, ...fresh, id: second.id, customer_key, customer_status: "click" as const }
}
