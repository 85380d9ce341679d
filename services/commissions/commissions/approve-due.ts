import { clock } from "../clock"
import { sql } from "../db"
import { recordCommissionEvents } from "./commission-events"

const COMMISSIONS_MAX = 1_000

/**
 * Approves commissions whose hold has ended, unless their policy requires manual approval. A clock
 * that was set ahead ends no hold: an approval cannot be taken back.
 */
export async function approveDue() {
  const steadyNow = await clock.look()
  const approved = await sql`
    with approved as (
      update commissions
      set
        status = 'approved',
        approved_at = now()
      where id in (
        select id
        from commissions
        where status = 'pending'
          and auto_approve
          and hold_ends_at <= least(now(), ${steadyNow}::timestamptz)
        order by hold_ends_at
        limit ${COMMISSIONS_MAX}
        for update skip locked -- skips rows locked by another replica or by a refund
      )
      returning *
    )
    ${recordCommissionEvents(
      sql,
      { type: "commission.approved", previous: { status: "pending" } },
      { relation: "approved" },
    )}
  `
  return approved.count
}
