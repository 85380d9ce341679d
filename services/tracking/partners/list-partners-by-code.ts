import type { RequestOf } from "../../../lib/bus/operation"
import type * as contract from "../contract"
import { sql } from "../db"

type Request = RequestOf<typeof contract.listPartnersByCode>

const PARTNERS_MAX = 10_000 // whose ids fit into one message

export async function listPartnersByCode({ program_id, search, after_partner_id }: Request) {
  const rows = await sql<{ partner_id: number }[]>`
    select distinct partner_id
    from referral_links
    where program_id = ${program_id}
      and partner_id > ${after_partner_id}
      and strpos(lower(code), lower(${search})) > 0
    order by partner_id
    limit ${PARTNERS_MAX}
  `
  const partner_ids = rows.map(({ partner_id }) => partner_id)
  return { partner_ids, more_after: rows.length < PARTNERS_MAX ? null : partner_ids.at(-1)! }
}
