import type { Fragment } from "../../../lib/db/database"
import type { Group, JoinedProgram } from "../contract"
import { sql } from "../db"
import { type PolicyRow, toPolicy } from "../groups/groups"
import { isCreated } from "../partners/partners"

type Row = Omit<JoinedProgram, "policy"> & PolicyRow

/** Selects the joined programs that match, by id, each once: that of the account's first partner. */
export async function joinedProgramsWhere(
  isWanted: Fragment,
  { limit, offset }: { limit: number; offset: number },
): Promise<JoinedProgram[]> {
  const rows = await sql<Row[]>`
    select
      partner.program_id, partner.partner_id, partner.status, partner.created_at as joined_at,
      policy.*
    from (
      select distinct on (partner.program_id)
        partner.program_id, partner.partner_id, partner.status, partner.created_at, partner.group_id
      from partner_programs as partner
      join partners on partners.id = partner.partner_id
      where ${isWanted} and ${isCreated}
      order by partner.program_id, partner.partner_id
      limit ${limit}
      offset ${offset}
    ) as partner
    cross join lateral (
      select
        version, effective_from, kind, rate_bps, amount_cents,
        duration_months, hold_days, auto_approve, products
      from policies
      where group_id = partner.group_id
        and (version = 1 or after_sale_id is not null or effective_from <= now())
      order by version desc
      limit 1
    ) as policy
    order by program_id
  `
  return rows.map(({ program_id, partner_id, status, joined_at, ...policy }) => ({
    ...{ program_id, partner_id, status, joined_at },
    policy: toPolicy(policy) satisfies Group["policy"],
  }))
}
