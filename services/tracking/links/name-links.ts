import type { RequestOf } from "../../../lib/bus/operation"
import type * as contract from "../contract"
import { sql } from "../db"

type Request = RequestOf<typeof contract.nameLinks>

export async function nameLinks({ program_id, link_ids }: Request) {
  const links = await sql<{ link_id: number; code: string }[]>`
    select id as link_id, code
    from referral_links
    where program_id = ${program_id}
      and id = any (${link_ids}::bigint[])
  `
  return { links }
}
