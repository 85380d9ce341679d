import type { Transaction } from "../../../lib/db/database"

export type LedgerCommission = {
  id: number
  program_id: number
  partner_id: number
  currency: string
  paid_at: string | null
}
type Kind = "deduction" | "rejection" | "payout" | "clamp"

/**
 * Deducts a refund from the partner's balance. If the commission was never paid, the deduction must
 * not push the balance below zero, or further below if it is negative already: a clamp entry gives
 * back the difference.
 */
export async function deduct(
  sql: Transaction,
  commission: LedgerCommission,
  cents: number,
  refund_id: number,
) {
  await addEntry(sql, commission, "deduction", -cents, refund_id)
  if (commission.paid_at) return

  const clampCents = await shortfall(sql, commission, cents)
  if (clampCents > 0) await addEntry(sql, commission, "clamp", clampCents, refund_id)
}

/**
 * Updates the balance and adds an entry. The row of the balance is locked first and until the
 * transaction ends, so a partner's entries have ids in the order in which they changed the balance:
 * the audit replays it.
 */
export async function addEntry(
  sql: Transaction,
  { id, program_id, partner_id, currency }: LedgerCommission,
  kind: Kind,
  amount_cents: number,
  refund_id: number | null,
) {
  await sql`
    update balances
    set balance_cents = balance_cents + ${amount_cents}::bigint
    where program_id = ${program_id}
      and partner_id = ${partner_id}
      and currency = ${currency}
  `
  await sql`
    insert into ledger (
      program_id, partner_id, currency, commission_id, kind, refund_id, amount_cents
    )
    values (
      ${program_id}, ${partner_id}, ${currency}, ${id}, ${kind}, ${refund_id}, ${amount_cents}
    )
  `
}

/** How far the balance is below zero, or below its earlier value if that was negative. */
async function shortfall(
  sql: Transaction,
  { program_id, partner_id, currency }: LedgerCommission,
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
