import type { RequestOf } from "../../../lib/bus/operation"
import { rowsThatFit } from "../../../lib/bus/rows-that-fit"
import type * as contract from "../contract"
import type { Link } from "../contract"
import { sql } from "../db"
import { isPartnerCreated, LINK_COLUMNS } from "./links"

export async function listLinks({ program_id, slice }: RequestOf<typeof contract.listLinks>) {
  const [{ total }] = await sql<[{ total: number }]>`
    select count(*) as total
    from referral_links as link
    where program_id = ${program_id}
      and ${isPartnerCreated}
  `
  const rows = await sql<Link[]>`
    select ${sql(LINK_COLUMNS)}
    from counted_links as link
    where program_id = ${program_id}
      and ${isPartnerCreated}
    order by id
    limit ${slice.limit}
    offset ${slice.offset}
  `
  return { rows: rowsThatFit(rows), total }
}
