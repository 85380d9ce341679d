import type { Damage } from "./damages"

export const commission = (condition: string) => `(
  select id
  from commissions.commissions
  where ${condition}
  order by id desc
  limit 1
)`
export const PENDING = commission("status = 'pending'")
export const REFUND = "(select max(id) from commissions.refunds where status = 'refunded')"
export const in_commission = (
  damage: string,
  invariant: string,
  change: string,
  id = PENDING,
): Damage => ({
  damage,
  invariant,
  sql: `update commissions.commissions set ${change} where id = ${id}`,
})
export const in_policy = (
  damage: string,
  invariant: string,
  change: string,
  id: string,
): Damage => ({
  damage,
  invariant,
  sql: `update commissions.policies set ${change} where id = (${id})`,
})
/** Adds to the balance of a ledger entry's partner, so that the sum of all entries still agrees. */
export const balancing = (cents: string, entry: string) => `
  update commissions.balances as balance set balance_cents = balance_cents + ${cents}
  from commissions.ledger as entry
  where entry.id = ${entry}
    and (balance.program_id, balance.partner_id, balance.currency) =
      (entry.program_id, entry.partner_id, entry.currency);
`
export const POLICY_OF_PENDING = `select policy_id from commissions.commissions where id = ${PENDING}`
