import type { RequestOf } from "../../../lib/bus/operation"
import { rowsThatFit } from "../../../lib/bus/rows-that-fit"
import type * as contract from "../contract"
import type { Link } from "../contract"
import { sql } from "../db"
import { LINK_COLUMNS } from "./links"

type Asked = RequestOf<typeof contract.showPartnerLinks>

const LINKS_MAX = 1_000

export async function showPartnerLinks({ program_id, partner_ids, after_link_id = 0 }: Asked) {
  const partners = await sql<{ partner_id: number; clicks: number }[]>`
    select partner_id, clicks
    from counted_partners
    where program_id = ${program_id}
      and partner_id = any (${partner_ids}::bigint[])
  `
  const links = await sql<Link[]>`
    select ${sql(LINK_COLUMNS)}
    from counted_links
    where program_id = ${program_id}
      and partner_id = any (${partner_ids}::bigint[])
      and id > ${after_link_id}
    order by id
    limit ${LINKS_MAX}
  `
  const told = rowsThatFit(links)
  const isAll = links.length < LINKS_MAX && told.length === links.length
  const linksOf = Map.groupBy(told, link => link.partner_id)
  return {
    partners: partners.map(partner => ({
      ...partner,
      links: linksOf.get(partner.partner_id) ?? [],
    })),
    more_after: isAll ? null : told.at(-1)!.id,
  }
}
