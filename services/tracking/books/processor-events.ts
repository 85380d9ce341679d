import type { Invariant } from "../../../lib/reconcile"

/** What a payment processor has reported is taken from its sale once. */
export const PROCESSOR_EVENTS: Invariant[] = [
  {
    invariant: "The refunds of a payment take its total once",
    table: "processor_refunds",
    violations: sql => sql`
      select
        format('Payment %s of program %s', payment, program_id),
        format('takes %s, but %s was refunded.', sum(taken_cents), refunded_cents)
      from (
        select
          program_id, payment, taken_cents,
          greatest(
            sum(amount_cents) filter (where not is_total) over payment,
            max(amount_cents) filter (where is_total) over payment
          ) as refunded_cents
        from processor_refunds
        window payment as (partition by program_id, payment)
      ) as refund
      group by program_id, payment, refunded_cents
      having sum(taken_cents) <> refunded_cents
    `,
  },
]
