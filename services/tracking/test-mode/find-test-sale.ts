import type { RequestOf } from "../../../lib/bus/operation"
import type * as contract from "../contract"
import { sql } from "../db"

type Asked = RequestOf<typeof contract.findTestSale>

/** The newest one: in test mode a transaction_id may come again. */
export async function findTestSale({ program_id, transaction_id }: Asked) {
  const [sale] = await sql<[{ id: number }?]>`
    select id
    from affiliate_sale_events
    where program_id = ${program_id}
      and transaction_id = ${transaction_id}
      and is_test
    order by id desc
    limit 1
  `
  return { event_id: sale?.id ?? null }
}
