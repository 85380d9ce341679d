import type { Database, Fragment, Transaction } from "../../../lib/db/db"
import { sql } from "../db"

/**
 * Ties a payment to the sale that it paid (null: that is not told), and locks it: what refunds of
 * one payment take is worked out one after the other. Refunds that wait for the sale wake up.
 */
export async function linkPayment(
  sql: Transaction,
  program_id: number,
  payment: string,
  transaction_id: string | null,
) {
  await sql`
    insert into processor_payments as known (program_id, payment, transaction_id)
    values (${program_id}, ${payment}, ${transaction_id})
    on conflict (program_id, payment) do update
      set transaction_id = coalesce(known.transaction_id, excluded.transaction_id)
  `
  if (!transaction_id) return
  const sale = sql`select ${program_id}::bigint as program_id, ${transaction_id} as transaction_id`
  await wakeRefunds(sql, sale)
}

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

/** The sale that a payment has paid: by the payment's own id, or that of the invoice it is tied to. */
export async function findPaidSale(program_id: number, payment: string) {
  const [sale] = await sql<[{ transaction_id: string; currency: string }?]>`
    select transaction_id, currency
    from affiliate_sale_events
    where program_id = ${program_id}
      and not is_test
      and transaction_id in (
        select ${payment}
        union all
        select transaction_id
        from processor_payments
        where (program_id, payment) = (${program_id}::bigint, ${payment})
      )
    order by transaction_id = ${payment} desc
    limit 1
  `
  return sale
}
