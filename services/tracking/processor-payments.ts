import type { Database, Transaction } from "../../lib/db"
import { sql } from "./db"

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
  if (transaction_id) await wakeRefunds(sql, program_id, transaction_id)
}

/**
 * Has the sweeper try the refunds that wait for this sale. Whoever stores a sale does so; a refund
 * that is stored at the same moment goes unseen here, but is young enough to be tried anyway.
 */
export const wakeRefunds = (
  sql: Database | Transaction,
  program_id: number,
  transaction_id: string,
) => sql`
  update processor_events
  set
    tries = 0,
    try_after = now()
  where program_id = ${program_id}
    and state = 'waiting'
    and payment in (
      select ${transaction_id}
      union all
      select payment
      from processor_payments
      where (program_id, transaction_id) = (${program_id}::bigint, ${transaction_id})
    )
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
