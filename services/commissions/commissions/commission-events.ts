import type { Database, Fragment, Transaction } from "../../../lib/db/database"
import { jsonTime } from "../../../lib/outgoing-events"
import type { Commission } from "../contract"
import { netCents } from "./commissions"

type Event = {
  type: `commission.${"created" | Exclude<Commission["status"], "pending">}`
  previous: Partial<Commission> | null
}

/**
 * Records outgoing events of commissions: of the rows of a relation with the table's columns, or of
 * the one commission `id` as it is now. `data` is what showCommission returns.
 */
export const recordCommissionEvents = (
  sql: Database | Transaction,
  { type, previous }: Event,
  of: { relation: string } | { id: number },
): Fragment => sql`
  insert into outgoing_events (program_id, partner_id, type, data, previous)
  select
    commission.program_id, commission.partner_id, ${type}::text,
    jsonb_build_object(
      'id', commission.id,
      'sale_id', sale_id,
      'transaction_id', transaction_id,
      'partner_id', commission.partner_id,
      'partner_name', (
        select name
        from partner_programs as partner
        where partner.program_id = commission.program_id
          and partner.partner_id = commission.partner_id
      ),
      'group_id', policy.group_id,
      'amount_cents', commission.amount_cents,
      'currency', currency,
      'status', status,
      'refund_reason', refund_reason,
      'rejection_reason', rejection_reason,
      'refunded_cents', refunded_cents,
      'net_cents', ${netCents(sql, "commission")},
      'auto_approve', commission.auto_approve,
      'hold_ends_at', ${jsonTime(sql, "hold_ends_at")},
      'policy_version', policy.version,
      'created_at', ${jsonTime(sql, "commission.created_at")}
    ),
    ${previous && sql.json(previous as never)}::jsonb
  from ${"id" in of ? sql`commissions as commission` : sql`${sql(of.relation)} as commission`}
  join policies as policy on policy.id = policy_id
  ${"id" in of ? sql`where commission.id = ${of.id}` : sql``}
  order by commission.id
`
