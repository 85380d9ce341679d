import type { RequestOf } from "../../../lib/bus/operation"
import type * as contract from "../contract"
import type { JourneyCommission } from "../contract"
import { sql } from "../db"

type Request = RequestOf<typeof contract.explainCommissions>

export async function explainCommissions({ program_id, sale_ids }: Request) {
  const settled = await sql<JourneyCommission[]>`
    select
      id, sale_id, status, amount_cents, currency, deducted_cents, auto_approve, hold_ends_at,
      approved_at, paid_at, rejection_reason, created_at, refunds
    from commissions
    cross join lateral (
      select coalesce(jsonb_agg(
        jsonb_build_object(
          'id', refund.id,
          'at', to_char(refund.created_at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
          'deduction_cents', refund.deduction_cents,
          'reason', refund.refund_reason
        ) order by refund.id
      ), '[]') as refunds
      from refunds as refund
      where refund.commission_id = commissions.id
    ) as of_sale
    where sale_id = any (${sale_ids}::bigint[])
      and program_id = ${program_id}
  `
  return { settled }
}
