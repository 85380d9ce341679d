import type { RequestOf } from "../../../lib/bus/operation"
import { Fault } from "../../../lib/fault"
import type * as contract from "../contract"
import { sql } from "../db"

type Request = RequestOf<typeof contract.findCustomer>

export async function findCustomer({ program_id, customer_key }: Request) {
  const [customer] = await sql<[{ customer_id: number }?]>`
    select id as customer_id
    from customers
    where (program_id, customer_key) = (${program_id}::bigint, ${customer_key}::text)
  `
  if (!customer) throw customerNotFound()
  return customer
}

export const customerNotFound = () =>
  new Fault("missing", "No customer of this program has this customer_key.")
