import type { Invariant } from "../../../lib/reconcile"
import { sql } from "../db"

/** Selects the time since when decisions are in the audit log. Infinity: there is no entry yet. */
const LOGGED_SINCE = sql`(select coalesce(min(at), 'infinity') from audit_entries)`

/** The status of each commission follows from its hold, its refunds and the decisions about it. */
export const DECISIONS: Invariant[] = [
  {
    invariant: "Each commission matches its refunds in status, amounts and reason",
    table: "commissions",
    violations: sql => sql`
      select
        format('Commission %s', commission.id),
        format('is "%s" with %s refunded and %s deducted; its refunds are %s and %s (%s).',
          commission.status, refunded_cents, deducted_cents,
          coalesce(refund_cents, 0), coalesce(deduction_cents, 0), coalesce(statuses, 'none'))
      from commissions as commission
      left join (
        select
          commission_id,
          string_agg(status, ', ' order by id) as statuses,
          (array_agg(status order by id desc))[1] as last_status,
          (array_agg(refund_reason order by id desc) filter (where refund_reason is not null))[1]
            as last_reason,
          count(*) filter (where status = 'reversed') as reversals,
          sum(refund_cents) as refund_cents,
          sum(deduction_cents) as deduction_cents
        from refunds
        group by commission_id
      ) as refund on refund.commission_id = commission.id
      where refunded_cents <> coalesce(refund_cents, 0)
        or deducted_cents <> coalesce(deduction_cents, 0)
        or coalesce(last_status, 'none') <>
          case when status in ('reversed', 'refunded') then status else 'none' end
        or reversals > 1
        or commission.refund_reason is distinct from last_reason
    `,
  },
  {
    invariant: "Each hold lasts as long as its policy says",
    table: "commissions",
    violations: sql => sql`
      select
        format('Commission %s', commission.id),
        format('is on hold until %s, but was created at %s with a hold of %s days.',
          hold_ends_at, commission.created_at, hold_days)
      from commissions as commission
      join policies as policy on policy.id = policy_id
      where hold_ends_at <> commission.created_at + make_interval(hours => 24 * hold_days)
    `,
  },
  {
    invariant: "No commission is pending for more than a minute after its hold",
    table: "commissions",
    violations: sql => sql`
      select format('Commission %s', id), format('is pending, but its hold ended at %s.', hold_ends_at)
      from commissions
      where status = 'pending'
        and auto_approve
        and hold_ends_at < now() - interval '1 minute'
        -- a clock that was set ahead ends no hold (lib/db/watch-clock.ts)
        and hold_ends_at < (select steady_at from clock_marks) - interval '1 minute'
    `,
  },
  {
    invariant: "Each commission was approved by its hold or by a decision",
    table: "commissions",
    violations: sql => sql`
      select
        format('Commission %s', commission.id),
        format('is %s, but its hold %s and no decision approved it.', status,
          case when auto_approve then 'ends at ' || hold_ends_at else 'approves nothing' end)
      from commissions as commission
      where (status in ('approved', 'paid') or paid_at is not null)
        and not (auto_approve and hold_ends_at <= now())
        and created_at >= ${LOGGED_SINCE}
        and not exists (
          select
          from audit_entries
          where action = 'commission.approve'
            and subject_id = commission.id
            and program_id = commission.program_id
        )
    `,
  },
  {
    invariant: "Each payout and each rejection is in the audit log, and nothing else is",
    table: "commissions",
    violations: sql => sql`
      select
        format('Commission %s', commission.id),
        format('is %s and was %s, but has %s entries of a rejection and %s of a payout.', status,
          case when paid_at is null then 'never paid' else 'paid' end,
          coalesce(rejections, 0), coalesce(payouts, 0))
      from commissions as commission
      left join (
        select
          program_id, subject_id,
          count(*) filter (where action = 'commission.reject') as rejections,
          count(*) filter (where action = 'commission.mark_paid') as payouts,
          max(details ->> 'reason') filter (where action = 'commission.reject') as reason
        from audit_entries
        where subject_type = 'commission'
        group by program_id, subject_id
      ) as decided
        on decided.program_id = commission.program_id
        and decided.subject_id = commission.id
      where commission.created_at >= ${LOGGED_SINCE}
        and (
          coalesce(rejections, 0) <> (status = 'rejected')::int
          or coalesce(payouts, 0) <> (paid_at is not null)::int
          or rejection_reason is distinct from reason
        )
    `,
  },
  {
    invariant: "Only a rejection has a reason for it",
    table: "commissions",
    violations: sql => sql`
      select format('Commission %s', id), format('is %s, but has a reason for a rejection.', status)
      from commissions
      where status <> 'rejected'
        and rejection_reason is not null
    `,
  },
]
