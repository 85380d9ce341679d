import type { Invariant } from "../../../lib/reconcile"

/** All money has its ledger entries. */
export const LEDGER: Invariant[] = [
  {
    invariant: "Each balance is the sum of its ledger entries",
    table: "balances",
    violations: sql => sql`
      select
        format('Partner %s of program %s', partner_id, program_id),
        format('has a balance of %s %s, but ledger entries of %s.',
          coalesce(balance_cents::text, 'no'), currency, coalesce(entered_cents::text, 'none'))
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
      select
        format('Ledger entry %s', ledger.id),
        format('belongs to commission %s of another partner.', commission_id)
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
      select
        format('Commission %s', commission.id),
        format('of %s (%s%s, %s deducted) has these entries: %s.',
          amount_cents, status, case when paid_at is not null then ', paid' end,
          deducted_cents, coalesce(entries, 'none'))
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
    invariant: "Each refund has exactly one deduction",
    table: "refunds",
    violations: sql => sql`
      select
        format('Refund %s', refund.id),
        format('of commission %s deducts %s, but has %s entries of %s.', refund.commission_id,
          deduction_cents, count(ledger.id), coalesce(sum(-amount_cents), 0))
      from refunds as refund
      left join ledger
        on ledger.refund_id = refund.id
        and kind = 'deduction'
        and ledger.commission_id = refund.commission_id
      group by refund.id
      having count(ledger.id) <> 1
        or sum(-amount_cents) <> deduction_cents
    `,
  },
  {
    // A partner's entries have ids in the order in which they changed the balance (ledger.ts).
    invariant: "Each clamp gives back what its deduction took below zero",
    table: "ledger",
    violations: sql => sql`
      select
        format('Refund %s', refund_id),
        format('of commission %s found a balance of %s and deducted %s: a clamp of %s is due, not %s.',
          commission_id, before_cents, deducted_cents, due_cents, clamp_cents)
      from (
        select
          entry.commission_id, entry.refund_id, before_cents, -amount_cents as deducted_cents,
          case
            when is_paid then 0
            else least(0, before_cents) - least(0, before_cents, before_cents + amount_cents)
          end as due_cents,
          coalesce(
            (
              select sum(clamp.amount_cents)
              from ledger as clamp
              where clamp.kind = 'clamp'
                and clamp.commission_id = entry.commission_id
                and clamp.refund_id = entry.refund_id
            ),
            0
          ) as clamp_cents
        from (
          select
            id, commission_id, kind, refund_id, amount_cents,
            sum(amount_cents) over balance - amount_cents as before_cents,
            bool_or(kind = 'payout') over commission as is_paid
          from ledger
          window
            balance as (partition by program_id, partner_id, currency order by id),
            commission as (partition by commission_id order by id)
        ) as entry
        where kind = 'deduction'
      ) as deduction
      where due_cents <> clamp_cents
      union all
      select format('Ledger entry %s', clamp.id), 'is a clamp without its deduction.'
      from ledger as clamp
      where kind = 'clamp'
        and not exists (
          select
          from ledger as deduction
          where deduction.kind = 'deduction'
            and deduction.commission_id = clamp.commission_id
            and deduction.refund_id = clamp.refund_id
            and deduction.id < clamp.id
        )
    `,
  },
  {
    invariant: "A balance is below zero only after a refund of a paid commission",
    table: "balances",
    violations: sql => sql`
      select
        format('Partner %s of program %s', partner_id, program_id),
        format('has %s %s, but no refund of a paid commission.', balance_cents, currency)
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
]
