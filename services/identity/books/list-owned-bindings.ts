import type { OwnedBinding } from "../../../lib/books"
import type { RequestOf } from "../../../lib/bus/operation"
import type * as contract from "../contract"
import { sql } from "../db"

type Request = RequestOf<typeof contract.listOwnedBindings>

export async function listOwnedBindings({ after_id, limit }: Request) {
  return sql<OwnedBinding[]>`
    select partner_id as id, program_id, account_id, not is_told as is_changing
    from partner_bindings
    where partner_id > ${after_id}
    order by partner_id
    limit ${limit}
  `
}
