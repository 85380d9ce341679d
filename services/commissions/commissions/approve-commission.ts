import type { RequestOf } from "../../../lib/bus/operation"
import { Fault } from "../../../lib/fault"
import { recordChange } from "../../../lib/record-change"
import type * as contract from "../contract"
import { sql } from "../db"
import { recordCommissionEvents } from "./commission-events"
import { lockCommission } from "./commissions"
import { showCommission } from "./show-commission"

export async function approveCommission(request: RequestOf<typeof contract.approveCommission>) {
  await sql.begin(async sql => {
    const { status } = await lockCommission(sql, request)
    if (status === "approved") return
    if (status !== "pending") {
      throw new Fault(
        "conflict",
        `The commission is ${status}: only a pending one can be approved.`,
      )
    }
    await sql`
      update commissions
      set
        status = 'approved',
        approved_at = now()
      where id = ${request.commission_id}
    `
    const id = request.commission_id
    await recordCommissionEvents(sql, { type: "commission.approved", previous: { status } }, { id })
    await recordChange(sql, {
      program_id: request.program_id,
      action: "commission.approve",
      subject_id: request.commission_id,
      details: { status: "approved" },
    })
  })
  return showCommission(request)
}
