import type { RequestOf } from "../../lib/contract"
import { sliceOf } from "../../lib/fields"
import type * as contract from "./contract"
import type { Link } from "./contract"
import { sql } from "./db"
import { LINK_COLUMNS } from "./links"

export async function listLinks({ program_id, page }: RequestOf<typeof contract.listLinks>) {
  const { limit, offset } = sliceOf(page)
  const [{ total }] = await sql<[{ total: number }]>`
    select count(*) as total
    from referral_links
    where program_id = ${program_id}
  `
  const rows = await sql<Link[]>`
    select ${sql(LINK_COLUMNS)}
    from referral_links
    where program_id = ${program_id}
    order by id
    limit ${limit}
    offset ${offset}
  `
  return { rows, total }
}
