import type { RequestOf } from "../../../lib/bus/operation"
import { Fault } from "../../../lib/fault"
import { recordChange } from "../../../lib/record-change"
import type * as contract from "../contract"
import { sql } from "../db"
import { addEntry } from "../ledger/ledger"
import { notifyOfPayout } from "../notifications/notifications"
import { recordCommissionEvents } from "./commission-events"
import { lockCommission } from "./commissions"
import { showCommission } from "./show-commission"

export async function markCommissionPaid(request: RequestOf<typeof contract.markCommissionPaid>) {
  await sql.begin(async sql => {
    const commission = await lockCommission(sql, request)
    const { status } = commission
    if (status === "paid") return
    if (status !== "approved") {
      throw new Fault("conflict", `The commission is ${status}: only an approved one can be paid.`)
    }
    await sql`
      update commissions
      set
        status = 'paid',
        paid_at = now()
      where id = ${request.commission_id}
    `
    await addEntry(sql, commission, "payout", -commission.amount_cents, null)
    await notifyOfPayout(sql, commission)
    await recordCommissionEvents(
      sql,
      { type: "commission.paid", previous: { status } },
      { id: commission.id },
    )
    await recordChange(sql, {
      program_id: request.program_id,
      action: "commission.mark_paid",
      subject_id: request.commission_id,
      details: { status: "paid" },
    })
  })
  return showCommission(request)
}
