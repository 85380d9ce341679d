import { balancing, REFUND } from "./commission-rows"
import type { Damage } from "./damages"

const CLAMP = "(select max(id) from commissions.ledger where kind = 'clamp')"
const in_ledger = (damage: string, invariant: string, change: string, id: string): Damage => ({
  damage,
  invariant,
  sql: `update commissions.ledger set ${change} where id = ${id}`,
})
const BALANCE = "Each balance is the sum of its ledger entries"
const ENTRIES = "Each commission, payout, rejection and deduction has exactly one entry"
const CLAMPS = "Each clamp gives back what its deduction took below zero"

/** Damage to ledger entries, clamps and balances. */
export const LEDGER_DAMAGES: Damage[] = [
  in_ledger(
    "a ledger entry that was altered",
    ENTRIES,
    "amount_cents = amount_cents + 1",
    "(select min(id) from commissions.ledger where kind = 'commission')",
  ),
  {
    damage: "a payout that was entered twice",
    invariant: ENTRIES,
    sql: `insert into commissions.ledger (
        program_id, partner_id, currency, commission_id, kind, amount_cents, refund_id
      )
      select program_id, partner_id, currency, commission_id, kind, 0, 999999
      from commissions.ledger
      where kind = 'payout'
      limit 1`,
  },
  {
    damage: "a balance that was raised",
    invariant: BALANCE,
    sql: `update commissions.balances set balance_cents = balance_cents + 7
      where partner_id = (select min(partner_id) from commissions.balances)`,
  },
  {
    damage: "a balance that was lost",
    invariant: BALANCE,
    sql: `delete from commissions.balances
      where partner_id = (select min(partner_id) from commissions.balances)`,
  },
  in_ledger(
    "a ledger entry moved to another partner",
    "Each ledger entry belongs to a commission of the same partner",
    "partner_id = partner_id + 1",
    "(select min(id) from commissions.ledger)",
  ),
  {
    damage: "a refund without its deduction",
    invariant: "Each refund has exactly one deduction",
    sql: `delete from commissions.ledger where kind = 'deduction' and refund_id = ${REFUND}`,
  },
  {
    damage: "a clamp that gave back more, with its balance",
    invariant: CLAMPS,
    sql: `
      ${balancing("9", CLAMP)}
      update commissions.ledger set amount_cents = amount_cents + 9 where id = ${CLAMP}
    `,
  },
  {
    damage: "a clamp that is missing, with its balance",
    invariant: CLAMPS,
    sql: `
      ${balancing("-entry.amount_cents", CLAMP)}
      delete from commissions.ledger where id = ${CLAMP}
    `,
  },
  in_ledger("a clamp of another refund", CLAMPS, "refund_id = 999999", CLAMP),
  {
    damage: "a balance below zero without a paid refund",
    invariant: "A balance is below zero only after a refund of a paid commission",
    sql: `update commissions.balances set balance_cents = -1
      where partner_id not in (
        select partner_id from commissions.commissions where paid_at is not null
      )`,
  },
]
