import type { RequestOf } from "../../lib/contract"
import { rowsThatFit } from "../../lib/rows-that-fit"
import type * as contract from "./contract"
import type { Link } from "./contract"
import { sql } from "./db"
import { LINK_COLUMNS } from "./links"

type Asked = RequestOf<typeof contract.showPartnerLinks>

/** Of those partners that are known here, in the order of their ids, and that fit a message. */
export async function showPartnerLinks({ program_id, partner_ids }: Asked) {
  const partners = await sql<{ partner_id: number; clicks: number }[]>`
    select partner_id, clicks
    from partner_programs
    where program_id = ${program_id}
      and partner_id = any (${partner_ids}::bigint[])
    order by partner_id
  `
  const links = await sql<Link[]>`
    select ${sql(LINK_COLUMNS)}
    from referral_links
    where program_id = ${program_id}
      and partner_id = any (${partner_ids}::bigint[])
    order by id
  `
  const linksOf = Map.groupBy(links, link => link.partner_id)
  const shown = partners.map(partner => ({
    ...partner,
    links: linksOf.get(partner.partner_id) ?? [],
  }))
  return { partners: rowsThatFit(shown) }
}
