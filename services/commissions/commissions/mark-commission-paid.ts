import type { RequestOf } from "../../../lib/bus/operation"
import { Fault } from "../../../lib/fault"
import { recordChange } from "../../../lib/record-change"
import type * as contract from "../contract"
import { sql } from "../db"
import { enter } from "../ledger/ledger"
import { notifyOfPayout } from "../notifications/notifications"
import { lockCommission } from "./commissions"
import { showCommission } from "./show-commission"

export async function markCommissionPaid(asked: RequestOf<typeof contract.markCommissionPaid>) {
  await sql.begin(async sql => {
    const commission = await lockCommission(sql, asked)
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
      where id = ${asked.commission_id}
    `
    await enter(sql, commission, "payout", -commission.amount_cents, null)
    await notifyOfPayout(sql, commission)
    await recordChange(sql, {
      program_id: asked.program_id,
      action: "commission.mark_paid",
      subject_id: asked.commission_id,
      details: { status: "paid" },
    })
  })
  return showCommission(asked)
}
