import { sql } from "../db"
import { completePartnerChange } from "./complete-partner-change"
import { withdrawPartner } from "./withdraw-partner"

const PARTNERS_MAX = 10

type Left = { program_id: number; partner_id: number; version: number }

/**
 * Ends what a crash left half-way: a change is completed, a creation withdrawn, since nobody was
 * told that it came about. Of several replicas, one tries each at a time.
 */
export async function sweepPartners() {
  const left = await sql<Left[]>`
    update partner_programs
    set try_after = now() + interval '5 seconds'
    where id in (
      select id
      from partner_programs
      where (version = 0 or proposed is not null)
        and try_after < now()
      order by try_after
      limit ${PARTNERS_MAX}
      for update skip locked
    )
    returning program_id, partner_id, version
  `
  for (const { program_id, partner_id, version } of left) {
    if (version === 0) await withdrawPartner({ program_id, partner_id, mayBeKnown: true })
    else await completePartnerChange(program_id, partner_id)
  }
  return left.length
}
