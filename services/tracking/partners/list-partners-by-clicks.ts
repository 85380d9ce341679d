import type { RequestOf } from "../../../lib/bus/operation"
import type * as contract from "../contract"
import { sql } from "../db"

type Request = RequestOf<typeof contract.listPartnersByClicks>

const PARTNERS_MAX = 10_000 // whose ids fit into one message

/** Ties are in the order of ids in both directions. */
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
    select partner_id, clicks
    from counted_partners
    where program_id = ${program_id}
      ${isAfter}
    order by clicks ${isDescending ? sql`desc` : sql`asc`}, partner_id
    limit ${PARTNERS_MAX}
  `
  return {
    partner_ids: rows.map(({ partner_id }) => partner_id),
    more_after: rows.length < PARTNERS_MAX ? null : rows.at(-1)!,
  }
}
