import type { RequestOf } from "../../../lib/bus/operation"
import { Fault } from "../../../lib/fault"
import { recordChange } from "../../../lib/record-change"
import type * as contract from "../contract"
import { sql } from "../db"
import { addEntry } from "../ledger/ledger"
import { notifyOfRejection } from "../notifications/notifications"
import { recordCommissionEvents } from "./commission-events"
import { lockCommission } from "./commissions"
import { showCommission } from "./show-commission"

type Request = RequestOf<typeof contract.rejectCommission>

export async function rejectCommission({ reason, ...request }: Request) {
  await sql.begin(async sql => {
    const commission = await lockCommission(sql, request)
    const { status } = commission
    if (status === "rejected") return
    if (status !== "pending" && status !== "approved") {
      throw new Fault(
        "conflict",
        `The commission is ${status}: only a pending or approved one can be rejected.`,
      )
    }
    await sql`
      update commissions
      set
        status = 'rejected',
        rejection_reason = ${reason}
      where id = ${request.commission_id}
    `
    await addEntry(sql, commission, "rejection", -commission.amount_cents, null)
    await notifyOfRejection(sql, commission, reason)
    const previous = { status, rejection_reason: null, net_cents: commission.amount_cents }
    await recordCommissionEvents(
      sql,
      { type: "commission.rejected", previous },
      { id: commission.id },
    )
    await recordChange(sql, {
      program_id: request.program_id,
      action: "commission.reject",
      subject_id: request.commission_id,
      details: { status: "rejected", reason },
    })
  })
  return showCommission(request)
}
