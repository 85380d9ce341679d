import type { Invariant } from "../../../lib/reconcile"

/** Each decision about money has its notification. */
export const NOTIFICATIONS: Invariant[] = [
  {
    invariant: "Each refund has one notification, and one warning if the commission was paid",
    table: "notifications",
    violations: sql => sql`
      select
        format('Refund %s', refund.id),
        format('of commission %s, which is %s, has these notifications: %s.',
          refund.commission_id, case when paid_at is null then 'not paid' else 'paid' end,
          coalesce(string_agg(kind, ', ' order by notification.id), 'none'))
      from refunds as refund
      join commissions on commissions.id = refund.commission_id
      left join notifications as notification
        on notification.refund_id = refund.id
        and notification.commission_id = refund.commission_id
      group by refund.id, paid_at
      having
        count(notification.id) filter (where kind = 'commission_' || refund.status) <> 1
        or count(notification.id) filter (where kind = 'paid_commission_refunded') <>
          (paid_at is not null)::int
    `,
  },
  {
    invariant: "Each rejection and each payout has one notification, and nothing else has one",
    table: "notifications",
    violations: sql => sql`
      select
        format('Commission %s', commission.id),
        format('is %s and was %s, but its partner has these notifications: %s.', status,
          case when paid_at is null then 'never paid' else 'paid' end,
          coalesce(string_agg(kind, ', ' order by notification.id), 'none'))
      from commissions as commission
      left join notifications as notification
        on notification.commission_id = commission.id
        and kind in ('commission_rejected', 'commission_paid')
      group by commission.id
      having
        count(notification.id) filter (where kind = 'commission_rejected') <>
          (status = 'rejected')::int
        or count(notification.id) filter (where kind = 'commission_paid') <>
          (paid_at is not null)::int
    `,
  },
  {
    invariant: "Each notification is addressed to the partner or workspace of its commission",
    table: "notifications",
    violations: sql => sql`
      select
        format('Notification %s', notification.id),
        format('is about commission %s, but addressed to another program, partner or workspace.',
          commission_id)
      from notifications as notification
      left join commissions as commission on commission.id = commission_id
      left join programs as program on program.program_id = commission.program_id
      where kind not in ('account_unbound', 'endpoint_disabled') -- which are about no commission
        and (
          notification.program_id is distinct from commission.program_id
          or case recipient
            when 'partner' then notification.partner_id is distinct from commission.partner_id
            else notification.workspace_id is distinct from program.workspace_id
          end
        )
    `,
  },
]
