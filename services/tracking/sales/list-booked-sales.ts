import type { RequestOf } from "../../../lib/bus/operation"
import type * as contract from "../contract"
import type { BookedSale } from "../contract"
import { sql } from "../db"

export async function listBookedSales({
  after_id,
  limit,
}: RequestOf<typeof contract.listBookedSales>) {
  return sql<BookedSale[]>`
    select
      id as sale_id, program_id, partner_id, transaction_id, commission_id,
      state = 'complete' as is_complete
    from affiliate_sale_events
    where id > ${after_id}
      and not is_test
    order by id
    limit ${limit}
  `
}
