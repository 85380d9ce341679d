import type { BookedSale } from "../../../lib/books"
import type { RequestOf } from "../../../lib/bus/operation"
import type * as contract from "../contract"
import { sql } from "../db"

type Request = RequestOf<typeof contract.listBookedSales>

export async function listBookedSales({ after_id, limit }: Request) {
  return sql<BookedSale[]>`
    select
      id, program_id, partner_id, transaction_id, amount_cents, currency, product_id, sale_date,
      partner_version, first_sale_id, commission_id, state = 'complete' as is_complete
    from affiliate_sale_events
    where id > ${after_id}
      and not is_test
    order by id
    limit ${limit}
  `
}
