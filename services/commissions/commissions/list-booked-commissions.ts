import type { RequestOf } from "../../../lib/bus/operation"
import type * as contract from "../contract"
import type { BookedCommission } from "../contract"
import { sql } from "../db"

type Request = RequestOf<typeof contract.listBookedCommissions>

export async function listBookedCommissions({ after_sale_id, through_sale_id, limit }: Request) {
  return sql<BookedCommission[]>`
    select sale_id, id as commission_id, program_id, partner_id, transaction_id
    from commissions
    where sale_id > ${after_sale_id}
      and sale_id <= ${through_sale_id}
    order by sale_id
    limit ${limit}
  `
}
