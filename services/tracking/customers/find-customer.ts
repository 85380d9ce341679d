import type { RequestOf } from "../../../lib/bus/operation"
import { Fault } from "../../../lib/fault"
import type * as contract from "../contract"
import { sql } from "../db"

type Asked = RequestOf<typeof contract.findCustomer>

export async function findCustomer({ program_id, customer_key }: Asked) {
  const [customer] = await sql<[{ customer_id: number }?]>`
    select id as customer_id
    from customers
    where (program_id, customer_key) = (${program_id}::bigint, ${customer_key}::text)
  `
  if (!customer) throw noSuchKey()
  return customer
}

export const noSuchKey = () =>
  new Fault("missing", "The program has no customer with this customer_key.")
