import type { OwnedPartner } from "../../../lib/books"
import type { RequestOf } from "../../../lib/bus/operation"
import type * as contract from "../contract"
import { sql } from "../db"

type Request = RequestOf<typeof contract.listOwnedPartners>

export async function listOwnedPartners({ after_id, limit }: Request) {
  return sql<OwnedPartner[]>`
    select
      partner_id as id, program_id, version, status,
      version = 0 or proposed is not null as is_changing
    from partner_programs
    where partner_id > ${after_id}
    order by partner_id
    limit ${limit}
  `
}
