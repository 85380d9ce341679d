import type { RequestOf } from "../../../lib/bus/operation"
import type * as contract from "../contract"
import { sql } from "../db"

type Request = RequestOf<typeof contract.findTestSale>

/** Returns the newest match, because test sales may repeat a transaction_id. */
export async function findTestSale({ program_id, transaction_id }: Request) {
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
