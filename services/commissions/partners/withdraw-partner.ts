import { call } from "../../../lib/bus/bus"
import { retryOnSilence } from "../../../lib/retry"
import { forgetPartner } from "../../tracking/contract"
import { sql } from "../db"

type Unpublished = { program_id: number; partner_id: number; mayBeKnown: boolean } // to tracking

/**
 * Undoes a failed creation. Its first statement rules out that the creation still completes. The
 * e-mail address and the code are free again once tracking, if it may know the partner, has deleted
 * it. Safe to repeat.
 */
export async function withdrawPartner({ program_id, partner_id, mayBeKnown }: Unpublished) {
  const [withdrawn] = await sql`
    update partner_programs
    set is_withdrawn = true
    where program_id = ${program_id}
      and partner_id = ${partner_id}
      and version = 0
    returning id
  `
  if (!withdrawn) return // already published or withdrawn

  if (mayBeKnown) await retryOnSilence(() => call(forgetPartner, { program_id, partner_id }))
  await sql`
    with withdrawn as (
      delete from partner_programs
      where program_id = ${program_id}
        and partner_id = ${partner_id}
        and is_withdrawn
      returning partner_id
    )
    delete from partners
    using withdrawn
    where id = withdrawn.partner_id
  `
}
