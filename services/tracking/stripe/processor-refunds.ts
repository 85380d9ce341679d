import type { Transaction } from "../../../lib/db/database"
import { sql } from "../db"
import type { RefundPart, StoredEvent } from "./reading"

/**
 * Stores a refund once, with the amount that it takes from the sale. Some events list each refund,
 * others only the running total, and both may report the same money. So the amount refunded is the
 * greater of the highest total and the sum of the listed refunds, and each refund takes the
 * difference, in whatever order they arrive. The caller holds the lock on the payment.
 */
export const storeRefundPart = (
  sql: Transaction,
  { id, program_id }: StoredEvent,
  payment: string,
  { refund_id, amount_cents, is_total }: RefundPart,
) => sql`
  insert into processor_refunds (
    program_id, refund_id, payment, event, is_total, amount_cents, taken_cents
  )
  select
    ${program_id}, ${refund_id}, ${payment}, ${id}, ${is_total}, ${amount_cents},
    greatest(
      coalesce(sum(amount_cents) filter (where not is_total), 0)
        + ${is_total ? 0 : amount_cents},
      coalesce(max(amount_cents) filter (where is_total), 0),
      ${is_total ? amount_cents : 0},
      sum(taken_cents)
    ) - coalesce(sum(taken_cents), 0)
  from processor_refunds
  where (program_id, payment) = (${program_id}::bigint, ${payment})
  on conflict (program_id, refund_id) do nothing
`

/** Lists what an event takes from its sale. Empty: earlier events reported the same money. */
export const refundsOf = ({ id }: StoredEvent) => sql<{ refund_id: string; taken_cents: number }[]>`
  select refund_id, taken_cents
  from processor_refunds
  where event = ${id}
    and taken_cents > 0
  order by refund_id
`
