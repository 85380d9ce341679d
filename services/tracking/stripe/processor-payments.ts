import type { Transaction } from "../../../lib/db/database"
import { sql } from "../db"
import { wakeRefunds } from "../sales/wake-refunds"

/**
 * Links a payment to the sale that it paid (null: unknown) and wakes the refunds that wait for the
 * sale. Locks the payment, so that its refunds are calculated one after the other.
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

/** Finds the sale of a payment, by the payment's own id or that of the linked invoice. */
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
