import type { Transaction } from "../../../lib/db/database"

export type Booked = {
  id: number // of the commission
  program_id: number
  partner_id: number
  currency: string
  paid_at: string | null
}
type Kind = "deduction" | "rejection" | "payout" | "clamp"

/**
 * Takes what a refund takes back off a partner's balance. A commission that was never paid cannot
 * make it negative: a clamp gives back what goes below zero, or below what it was, if it was
 * below already.
 */
export async function deduct(
  sql: Transaction,
  commission: Booked,
  cents: number,
  refund_id: number,
) {
  await enter(sql, commission, "deduction", -cents, refund_id)
  if (commission.paid_at) return

  const clamp_cents = await shortfall(sql, commission, cents)
  if (clamp_cents > 0) await enter(sql, commission, "clamp", clamp_cents, refund_id)
}

/** Writes an entry and moves the balance, whose row stays locked to the transaction's end. */
export async function enter(
  sql: Transaction,
  { id, program_id, partner_id, currency }: Booked,
  kind: Kind,
  amount_cents: number,
  refund_id: number | null,
) {
  await sql`
    insert into ledger (
      program_id, partner_id, currency, commission_id, kind, refund_id, amount_cents
    )
    values (
      ${program_id}, ${partner_id}, ${currency}, ${id}, ${kind}, ${refund_id}, ${amount_cents}
    )
  `
  await sql`
    update balances
    set balance_cents = balance_cents + ${amount_cents}::bigint
    where program_id = ${program_id}
      and partner_id = ${partner_id}
      and currency = ${currency}
  `
}

/** How far the balance is below zero, or below what it was before `cents` were taken. */
async function shortfall(
  sql: Transaction,
  { program_id, partner_id, currency }: Booked,
  cents: number,
): Promise<number> {
  const [balance] = await sql<[{ shortfall_cents: number }]>`
    select (least(0, balance_cents + ${cents}::bigint) - balance_cents)::bigint as shortfall_cents
    from balances
    where program_id = ${program_id}
      and partner_id = ${partner_id}
      and currency = ${currency}
  `
  return balance.shortfall_cents
}
