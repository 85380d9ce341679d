import type { RequestOf } from "../../../lib/bus/operation"
import { rowsThatFit } from "../../../lib/bus/rows-that-fit"
import type * as contract from "../contract"
import type { Link } from "../contract"
import { sql } from "../db"
import { LINK_COLUMNS } from "./links"

type Request = RequestOf<typeof contract.showPartnerLinks>

const LINKS_MAX = 1_000

export async function showPartnerLinks({ program_id, partner_ids, after_link_id = 0 }: Request) {
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
  const page = rowsThatFit(links)
  const isComplete = links.length < LINKS_MAX && page.length === links.length
  const linksOf = Map.groupBy(page, link => link.partner_id)
  return {
    partners: partners.map(partner => ({
      ...partner,
      links: linksOf.get(partner.partner_id) ?? [],
    })),
    more_after: isComplete ? null : page.at(-1)!.id,
  }
}
