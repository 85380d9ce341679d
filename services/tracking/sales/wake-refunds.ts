import type { Database, Fragment, Transaction } from "../../../lib/db/database"

/**
 * Has the sweeper try the refunds that wait for these sales: rows of program_id, transaction_id.
 * Whoever stores a sale does so; a refund that is stored at the same moment goes unseen here, but is
 * young enough to be tried anyway.
 */
export const wakeRefunds = (sql: Database | Transaction, sales: Fragment) => sql`
  update processor_events as event
  set
    tries = 0,
    try_after = now()
  from (${sales}) as sale
  cross join lateral (
    select sale.transaction_id as payment
    union all
    select payment
    from processor_payments as tied
    where tied.program_id = sale.program_id
      and tied.transaction_id = sale.transaction_id
  ) as paid
  cross join lateral (
    select id
    from processor_events
    where program_id = sale.program_id
      and payment = paid.payment
      and state = 'waiting'
    offset 0 -- looked up one by one, however few there were when this was planned
  ) as waiting
  where event.id = waiting.id
    and event.state = 'waiting' -- still, if somebody has applied it meanwhile
`
