import type { Owned } from "../../../lib/owned-rows"
import type { Invariant } from "../../../lib/reconcile"

/** The refunds of each sale, and what they must deduct. */
export const REFUNDS_OF_SALES: Omit<Invariant<Owned>, "table">[] = [
  {
    // As the sum of all refunds so far, so that fractions of a cent do not add up.
    invariant: "Each refund deducts its share of the commission",
    violations: (sql, { rows }) => sql`
      select
        format('Refund %s', refund.id),
        format('of commission %s deducts %s, but %s of %s refunded take back %s of %s in all.',
          commission_id, deduction_cents, refunded_cents, sale_cents, due_cents, earned_cents)
      from (
        select
          refund.id, refund.commission_id, refund.deduction_cents, refund.status,
          sale.amount_cents as sale_cents, commission.amount_cents as earned_cents,
          sum(refund.refund_cents) over so_far as refunded_cents,
          sum(refund.deduction_cents) over so_far as deducted_cents,
          round(
            commission.amount_cents * sum(refund.refund_cents) over so_far / sale.amount_cents
          ) as due_cents
        from ${rows} as sale
        join commissions as commission on commission.sale_id = sale.id
        join refunds as refund on refund.commission_id = commission.id
        window so_far as (partition by refund.commission_id order by refund.id)
      ) as refund
      where deducted_cents <> due_cents
        or refunded_cents > sale_cents
        or status = 'reversed' and refunded_cents <> sale_cents
    `,
  },
]
