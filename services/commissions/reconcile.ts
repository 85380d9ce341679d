import { reconciler } from "../../lib/reconcile"
import { sql } from "./db"

/** Checks that all money has its ledger entries, and each decision about it a notification. */
export const reconcile = reconciler(sql, [
  {
    invariant: "Each balance is the sum of its ledger entries",
    table: "balances",
    violations: sql => sql`
      select format(
        'Partner %s of program %s has a balance of %s %s, but ledger entries of %s.',
        partner_id, program_id, coalesce(balance_cents::text, 'no'), currency,
        coalesce(entered_cents::text, 'none')
      )
      from balances
      full join (
        select program_id, partner_id, currency, sum(amount_cents) as entered_cents
        from ledger
        group by program_id, partner_id, currency
      ) as entered using (program_id, partner_id, currency)
      where balance_cents is distinct from entered_cents
    `,
  },
  {
    invariant: "Each ledger entry belongs to a commission of the same partner",
    table: "ledger",
    violations: sql => sql`
      select format('Ledger entry %s belongs to commission %s of another partner.',
        ledger.id, commission_id)
      from ledger
      left join commissions on commissions.id = commission_id
      where (ledger.program_id, ledger.partner_id, ledger.currency) is distinct from
        (commissions.program_id, commissions.partner_id, commissions.currency)
    `,
  },
  {
    invariant: "Each commission, payout, rejection and deduction has exactly one entry",
    table: "commissions",
    violations: sql => sql`
      select format(
        'Commission %s of %s (%s%s, %s deducted) has these entries: %s.',
        commission.id, amount_cents, status, case when paid_at is not null then ', paid' end,
        deducted_cents, coalesce(entries, 'none')
      )
      from commissions as commission
      left join (
        select
          commission_id,
          string_agg(format('%s %s', kind, amount_cents), ', ' order by id) as entries,
          sum(amount_cents) filter (where kind = 'commission') as earned_cents,
          sum(amount_cents) filter (where kind = 'payout') as paid_cents,
          sum(amount_cents) filter (where kind = 'rejection') as rejected_cents,
          sum(amount_cents) filter (where kind = 'deduction') as refunded_cents,
          count(*) filter (where kind in ('commission', 'payout', 'rejection')) as steps
        from ledger
        group by commission_id
      ) as entered on entered.commission_id = commission.id
      where earned_cents is distinct from amount_cents
        or coalesce(entered.refunded_cents, 0) <> -deducted_cents
        or coalesce(paid_cents, 0) <> case when paid_at is null then 0 else -amount_cents end
        or coalesce(rejected_cents, 0) <> case status when 'rejected' then -amount_cents else 0 end
        or steps <> 1 + (paid_at is not null)::int + (status = 'rejected')::int
    `,
  },
  {
    invariant: "Each commission matches its refunds in status and amounts",
    table: "commissions",
    violations: sql => sql`
      select format(
        'Commission %s is "%s" with %s refunded and %s deducted; its refunds are %s and %s (%s).',
        commission.id, commission.status, refunded_cents, deducted_cents,
        coalesce(refund_cents, 0), coalesce(deduction_cents, 0), coalesce(statuses, 'none')
      )
      from commissions as commission
      left join (
        select
          commission_id,
          string_agg(status, ', ' order by id) as statuses,
          (array_agg(status order by id desc))[1] as last_status,
          sum(refund_cents) as refund_cents,
          sum(deduction_cents) as deduction_cents
        from refunds
        group by commission_id
      ) as refund on refund.commission_id = commission.id
      where refunded_cents <> coalesce(refund_cents, 0)
        or deducted_cents <> coalesce(deduction_cents, 0)
        or coalesce(last_status, 'none') <>
          case when status in ('reversed', 'refunded') then status else 'none' end
    `,
  },
  {
    invariant: "Each refund has exactly one deduction",
    table: "refunds",
    violations: sql => sql`
      select format(
        'Refund %s of commission %s deducts %s, but has %s entries of %s.',
        refund.id, refund.commission_id, deduction_cents, count(ledger.id),
        coalesce(sum(-amount_cents), 0)
      )
      from refunds as refund
      left join ledger on ledger.refund_id = refund.id
        and kind = 'deduction'
        and ledger.commission_id = refund.commission_id
      group by refund.id
      having count(ledger.id) <> 1
        or sum(-amount_cents) <> deduction_cents
    `,
  },
  {
    invariant: "A balance is below zero only after a refund of a paid commission",
    table: "balances",
    violations: sql => sql`
      select format(
        'Partner %s of program %s has %s %s, but no refund of a paid commission.',
        partner_id, program_id, balance_cents, currency
      )
      from balances as balance
      where balance_cents < 0
        and not exists (
          select
          from commissions as commission
          where commission.program_id = balance.program_id
            and commission.partner_id = balance.partner_id
            and commission.currency = balance.currency
            and paid_at is not null
            and deducted_cents > 0
        )
    `,
  },
  {
    invariant: "Each refund has one notification, and one warning if the commission was paid",
    table: "notifications",
    violations: sql => sql`
      select format(
        'Refund %s of commission %s, which is %s, has these notifications: %s.',
        refund.id, refund.commission_id,
        case when paid_at is null then 'not paid' else 'paid' end,
        coalesce(string_agg(kind, ', ' order by notification.id), 'none')
      )
      from refunds as refund
      join commissions on commissions.id = refund.commission_id
      left join notifications as notification on notification.refund_id = refund.id
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
      select format(
        'Commission %s, now %s, was %s, but its partner has these notifications: %s.',
        commission.id, status, case when paid_at is null then 'never paid' else 'paid' end,
        coalesce(string_agg(kind, ', ' order by notification.id), 'none')
      )
      from commissions as commission
      left join notifications as notification on notification.commission_id = commission.id
        and notification.partner_id = commission.partner_id
        and kind in ('commission_rejected', 'commission_paid')
      group by commission.id
      having
        count(notification.id) filter (where kind = 'commission_rejected') <>
          (status = 'rejected')::int
        or count(notification.id) filter (where kind = 'commission_paid') <>
          (paid_at is not null)::int
    `,
  },
])
