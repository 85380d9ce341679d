import type { Transaction } from "../../../lib/db/database"
import { sql } from "../db"
import type { RefundPart, StoredEvent } from "./reading"

/**
 * Notes a refund once, and how much of the sale it takes. Some events name each refund, others
 * only tell the total so far, and both may tell of the same money. So what is refunded is the
 * greater of the highest total and the sum of the named ones, and each takes what is lacking to
 * it: whatever comes first, the sum is right. The payment is locked.
 */
export const noteRefund = (
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

/** What an event takes of its sale. Nothing: others have told of the same money before. */
export const refundsOf = ({ id }: StoredEvent) => sql<{ refund_id: string; taken_cents: number }[]>`
  select refund_id, taken_cents
  from processor_refunds
  where event = ${id}
    and taken_cents > 0
  order by refund_id
`
