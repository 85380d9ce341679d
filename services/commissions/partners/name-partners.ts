import type { RequestOf } from "../../../lib/bus/operation"
import type * as contract from "../contract"
import { sql } from "../db"

type Request = RequestOf<typeof contract.namePartners>

export async function namePartners({ program_id, partner_ids }: Request) {
  const partners = await sql<{ partner_id: number; name: string }[]>`
    select partner_id, name
    from partner_programs
    where program_id = ${program_id}
      and partner_id = any (${partner_ids}::bigint[])
  `
  return { partners }
}
