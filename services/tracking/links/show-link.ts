import type { RequestOf } from "../../../lib/bus/operation"
import type * as contract from "../contract"
import type { Link } from "../contract"
import { sql } from "../db"
import { isPartnerCreated, LINK_COLUMNS, linkNotFound } from "./links"

export async function showLink({ program_id, link_id }: RequestOf<typeof contract.showLink>) {
  const [link] = await sql<[Link?]>`
    select ${sql(LINK_COLUMNS)}
    from counted_links as link
    where id = ${link_id}
      and program_id = ${program_id}
      and ${isPartnerCreated}
  `
  if (!link) throw linkNotFound()
  return link
}
