import type { Transaction } from "../../../lib/db/database"
import { jsonTime } from "../../../lib/outgoing-events"
import { differences } from "../../../lib/record-change"
import type { Commission } from "../contract"
import type { RefundedCommission } from "../ledger/refunds"
import { recordCommissionEvents } from "./commission-events"
import { netCents } from "./commissions"

type Shown = Pick<Commission, "status" | "refund_reason" | "refunded_cents" | "net_cents">

/** Records the outgoing events of a refund that was stored. `before`: the commission before it. */
export async function recordRefundEvents(
  sql: Transaction,
  { id, status, refund_reason, refunded_cents, ...before }: RefundedCommission,
  refund_id: number,
) {
  await sql`
    insert into outgoing_events (program_id, partner_id, type, data)
    select
      program_id, partner_id, 'refund.recorded',
      jsonb_build_object(
        'id', refund.id,
        'sale_id', sale_id,
        'transaction_id', transaction_id,
        'commission_id', commission.id,
        'refund_amount_cents', refund_cents,
        'refund_reason', refund.refund_reason,
        'created_at', ${jsonTime(sql, "refund.created_at")}
      )
    from refunds as refund
    join commissions as commission on commission.id = commission_id
    where refund.id = ${refund_id}
  `
  const [after] = await sql<[Shown & { status: "reversed" | "refunded" }]>`
    select status, refund_reason, refunded_cents, ${netCents(sql, "commissions")} as net_cents
    from commissions
    where id = ${id}
  `
  const net_cents = before.amount_cents - before.deducted_cents
  const previous = differences(after, { status, refund_reason, refunded_cents, net_cents })
  await recordCommissionEvents(sql, { type: `commission.${after.status}`, previous }, { id })
}
