import type { Transaction } from "../../lib/db"

export type Booked = {
  id: number // of the commission
  program_id: number
  partner_id: number
  currency: string
  paid_at: string | null
}
type Kind = "deduction" | "rejection" | "payout" | "clamp"

/**
 * Takes `cents` off a partner's balance. A commission that was never paid cannot make it negative:
 * a clamp gives back what goes below zero, or below what it was, if it was below already.
 */
export async function deduct(
  sql: Transaction,
  commission: Booked,
  kind: "deduction" | "rejection",
  cents: number,
  refund_id: number | null,
) {
  const balance_cents = await enter(sql, commission, kind, -cents, refund_id)
  if (commission.paid_at) return

  const least_cents = Math.min(0, balance_cents + cents)
  const clamp_cents = least_cents - balance_cents
  if (clamp_cents > 0) await enter(sql, commission, "clamp", clamp_cents, refund_id)
}

/** Writes an entry and answers the new balance, whose row stays locked to the transaction's end. */
export async function enter(
  sql: Transaction,
  { id, program_id, partner_id, currency }: Booked,
  kind: Kind,
  amount_cents: number,
  refund_id: number | null,
): Promise<number> {
  await sql`
    insert into ledger (
      program_id, partner_id, currency, commission_id, kind, refund_id, amount_cents
    )
    values (
      ${program_id}, ${partner_id}, ${currency}, ${id}, ${kind}, ${refund_id}, ${amount_cents}
    )
  `
  const [{ balance_cents }] = await sql<[{ balance_cents: number }]>`
    update balances
    set balance_cents = balance_cents + ${amount_cents}
    where program_id = ${program_id}
      and partner_id = ${partner_id}
      and currency = ${currency}
    returning balance_cents
  `
  return balance_cents
}
