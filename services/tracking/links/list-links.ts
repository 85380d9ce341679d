import type { RequestOf } from "../../../lib/bus/operation"
import { rowsThatFit } from "../../../lib/bus/rows-that-fit"
import type * as contract from "../contract"
import type { Link, LinkFilter } from "../contract"
import { sql } from "../db"
import { isPartnerCreated, LINK_COLUMNS } from "./links"

type Request = RequestOf<typeof contract.listLinks>

export async function listLinks({ program_id, filter = {}, slice }: Request) {
  const found = matches(program_id, filter)
  const [{ total }] = await sql<[{ total: number }]>`
    select count(*) as total
    from referral_links as link
    where ${found}
  `
  const rows = await sql<Link[]>`
    select ${sql(LINK_COLUMNS)}
    from counted_links as link
    where ${found}
    order by id
    limit ${slice.limit}
    offset ${slice.offset}
  `
  return { rows: rowsThatFit(rows), total }
}

const matches = (program_id: number, { partner_id, status, search }: LinkFilter) => sql`
  program_id = ${program_id}
    and ${isPartnerCreated}
    ${partner_id === undefined ? sql`` : sql`and partner_id = ${partner_id}`}
    ${status === undefined ? sql`` : sql`and status = ${status}`}
    ${search === undefined ? sql`` : isFound(search)}
`

const isFound = (search: string) => sql`
  and (
    strpos(lower(code), lower(${search})) > 0
    or strpos(lower(destination_url), lower(${search})) > 0
  )
`
