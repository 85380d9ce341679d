import type { RequestOf } from "../../../lib/bus/operation"
import type * as contract from "../contract"
import type { Settlement } from "../contract"
import { sql } from "../db"

type Request = RequestOf<typeof contract.showSettlements>

export async function showSettlements(request: Request) {
  const { program_id, partner_id, sale_ids, first_sale_ids } = request
  const settlements = await sql<Settlement[]>`
    select
      id, sale_id, status, amount_cents, currency, deducted_cents, auto_approve, hold_ends_at,
      approved_at, paid_at, rejection_reason
    from commissions
    where sale_id = any (${sale_ids}::bigint[])
      and (program_id, partner_id) = (${program_id}, ${partner_id})
  `
  const periods = await sql<{ first_sale_id: number; duration_months: number | null }[]>`
    select sale_id as first_sale_id, duration_months
    from commissions
    join policies on policies.id = policy_id
    where sale_id = any (${first_sale_ids}::bigint[])
      and (program_id, partner_id) = (${program_id}, ${partner_id})
  `
  return { settlements, periods }
}
