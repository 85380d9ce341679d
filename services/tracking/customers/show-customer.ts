import type { ReplyOf, RequestOf } from "../../../lib/bus/operation"
import type * as contract from "../contract"
import { sql } from "../db"
import { customerNotFound } from "./find-customer"

type Customer = ReplyOf<typeof contract.showCustomer>
type Request = RequestOf<typeof contract.showCustomer>

export async function showCustomer({ program_id, customer_key }: Request): Promise<Customer> {
  const [customer] = await sql<[Customer?]>`
    select ${FIELDS}
    from customers
    where (program_id, customer_key) = (${program_id}::bigint, ${customer_key}::text)
  `
  if (!customer) throw customerNotFound()
  return customer
}

/** Returns the customer of an event, erased or not. Null: a test event, which has none. */
export async function customerOf(customer_id: number | null): Promise<Customer | null> {
  if (customer_id === null) return null
  const [customer] = await sql<[Customer?]>`
    select ${FIELDS}
    from customers
    where id = ${customer_id}
  `
  return customer ?? null
}

const FIELDS = sql`
  id, program_id, click_id, customer_key, customer_status, email_masked, signup_date,
  first_purchase_date, partner_id, link_id, click_event_id, attributed_at,
  window_days as cookie_window_days, created_at
`
