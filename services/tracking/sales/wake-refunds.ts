import type { Database, Fragment, Transaction } from "../../../lib/db/database"

/**
 * Makes the sweeper retry the refunds that wait for these sales, given as rows of program_id and
 * transaction_id. Run it wherever a sale is stored or gets a payment. It misses refunds stored at
 * the same moment, but new refunds are tried for a while anyway.
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
    from processor_payments as link
    where link.program_id = sale.program_id
      and link.transaction_id = sale.transaction_id
  ) as paid
  cross join lateral (
    select id
    from processor_events
    where program_id = sale.program_id
      and payment = paid.payment
      and state = 'waiting'
    offset 0 -- keeps the index lookup, even if the table was nearly empty when planned
  ) as waiting
  where event.id = waiting.id
    and event.state = 'waiting' -- rechecked under the lock: another process may have applied it
`
