import type { ReplyOf, RequestOf } from "../../../lib/bus/operation"
import type * as contract from "../contract"
import { sql } from "../db"
import { findTerms } from "./terms"

type Request = RequestOf<typeof contract.showPartnerTerms>
type Reply = ReplyOf<typeof contract.showPartnerTerms>

export async function showPartnerTerms({ program_id, partner_id }: Request): Promise<Reply> {
  const [terms, [accepted]] = await Promise.all([
    findTerms(sql, program_id),
    sql<[Pick<Reply, "accepted_version" | "accepted_at">?]>`
      select version as accepted_version, accepted_at
      from accepted_terms
      where (program_id, partner_id) = (${program_id}, ${partner_id})
      order by version desc
      limit 1
    `,
  ])
  return { ...terms, ...(accepted ?? { accepted_version: null, accepted_at: null }) }
}
