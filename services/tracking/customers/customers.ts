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

type Named = { customer_key?: string; click_id?: string }

/**
 * The customer whom an advertiser's backend names, locked, and bound to the key it is named by
 * (contract 4, **Lead**). The key wins over the click_id. Throws "invalid" (7.2).
 */
export async function resolveCustomer(sql: Transaction, program_id: number, named: Named) {
  if (!named.customer_key && !named.click_id) {
    throw new Fault("invalid", "Send a click_id or a customer_key.")
  }
  const { byKey, byClick } = await lockCustomers(sql, program_id, named)

  if (byKey && !(byKey.key_is_provisional && namesAnother(byKey, byClick))) {
    const isConfirmed = byKey.key_is_provisional && byKey.click_id === named.click_id
    if (isConfirmed) await bindKey(sql, byKey.id, byKey.customer_key)
    return byKey
  }
  if (!byClick) throw noCustomer()
  if (byClick.program_id !== program_id) {
    throw new Fault("invalid", "The customer belongs to another program.")
  }
  if (byKey) await bindKey(sql, byKey.id, null) // a browser bound it; the backend knows better

  const { customer_key } = named
  if (!customer_key || byClick.customer_key === customer_key) return byClick
  if (byClick.customer_key) return shareBrowser(sql, byClick, customer_key)
  await bindKey(sql, byClick.id, customer_key)
  return { ...byClick, customer_key }
}

/** The customer whom a click_id names, locked. */
export async function lockCustomer(sql: Transaction, click_id: string) {
  return (await lockCustomers(sql, null, { click_id })).byClick
}

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

export const noCustomer = () =>
  new Fault("invalid", "No customer has this click_id or customer_key.")

/** One query for both, in the order of ids: who locks in one order does not deadlock. */
async function lockCustomers(sql: Transaction, program_id: number | null, named: Named) {
  const { customer_key, click_id } = named
  const customers = await sql<Customer[]>`
    select
      id, program_id, click_id, names_click, customer_key, key_is_provisional, email_hash,
      customer_status, partner_id, link_id, click_event_id, attributed_at, window_days
    from customers
    where ${isNamed(sql, program_id, named)}
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

/** Asks for no more than is named: what is null would have the statement planned anew each time. */
function isNamed(sql: Transaction, program_id: number | null, { customer_key, click_id }: Named) {
  const hasKey = sql`
    (program_id, customer_key) = (${program_id}::bigint, ${customer_key ?? null}::text)
  `
  if (!click_id) return hasKey
  const hasClick = sql`click_id = ${click_id} and names_click`
  return customer_key ? sql`${hasKey} or (${hasClick})` : hasClick
}

/** Whether the click_id beside a key is that of somebody else, in the same program. */
const namesAnother = (byKey: Customer, byClick: Customer | undefined) =>
  byClick?.program_id === byKey.program_id && byClick.click_id !== byKey.click_id

/** A second person at one browser: an own customer with the same attribution. */
async function shareBrowser(sql: Transaction, first: Customer, customer_key: string) {
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
