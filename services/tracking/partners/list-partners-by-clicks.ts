import type { RequestOf } from "../../../lib/bus/operation"
import type * as contract from "../contract"
import { sql } from "../db"

type Request = RequestOf<typeof contract.listPartnersByClicks>

const PARTNERS_MAX = 10_000 // whose ids fit into one message

/**
 * Ties are in the order of ids in both directions. What waits to be counted is added up once: the
 * view counted_partners adds it up for each partner if statistics take the program for a small one.
 */
export async function listPartnersByClicks({ program_id, direction, after }: Request) {
  const isDescending = direction === "desc"
  const isAfter = after
    ? sql`
      and (
        clicks ${isDescending ? sql`<` : sql`>`} ${after.clicks}
        or (clicks = ${after.clicks} and partner_id > ${after.partner_id})
      )
    `
    : sql``
  const rows = await sql<{ partner_id: number; clicks: number }[]>`
    with waiting as materialized (
      select partner_id, sum(uncounted.clicks)::bigint as clicks
      from uncounted
      join referral_links as link on link.id = link_id
      where program_id = ${program_id}
      group by partner_id
    ),
    counted as (
      select partner_id, partner.clicks + coalesce(waiting.clicks, 0) as clicks
      from partner_programs as partner
      left join waiting using (partner_id)
      where program_id = ${program_id}
    )
    select partner_id, clicks
    from counted
    where true
      ${isAfter}
    order by clicks ${isDescending ? sql`desc` : sql`asc`}, partner_id
    limit ${PARTNERS_MAX}
  `
  return {
    partner_ids: rows.map(({ partner_id }) => partner_id),
    more_after: rows.length < PARTNERS_MAX ? null : rows.at(-1)!,
  }
}
