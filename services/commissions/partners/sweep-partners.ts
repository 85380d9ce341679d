import { isDue } from "../../../lib/db/due"
import { sql } from "../db"
import { completePartnerChange } from "./complete-partner-change"
import { withdrawPartner } from "./withdraw-partner"

const PARTNERS_MAX = 10

type Unfinished = { program_id: number; partner_id: number; version: number }

/**
 * Finishes what a crash left half done. A change is completed. An unfinished creation is
 * withdrawn, because its caller never got a confirmation. A lease of five seconds keeps other
 * replicas from picking the same partner.
 */
export async function sweepPartners() {
  const unfinished = await sql<Unfinished[]>`
    update partner_programs
    set try_after = now() + interval '5 seconds'
    where id in (
      select id
      from partner_programs
      where (version = 0 or proposed is not null)
        and ${isDue(sql)}
      order by try_after
      limit ${PARTNERS_MAX}
      for update skip locked
    )
    returning program_id, partner_id, version
  `
  for (const { program_id, partner_id, version } of unfinished) {
    if (version === 0) await withdrawPartner({ program_id, partner_id, mayBeKnown: true })
    else await completePartnerChange(program_id, partner_id)
  }
  return unfinished.length
}
