import {
  balancing,
  in_commission,
  in_policy,
  PENDING,
  POLICY_OF_PENDING,
  REFUND,
} from "./commission-rows"
import type { Damage } from "./damages"

const in_sale = (damage: string, invariant: string, change: string): Damage => ({
  damage,
  invariant,
  sql: `update tracking.affiliate_sale_events set ${change} where commission_id = ${PENDING}`,
})
const POLICY_OF_PRODUCTS = "select max(id) from commissions.policies where products <> '[]'"
const POLICY_OF_RENEWAL = `
  select policy_id
  from commissions.commissions
  join tracking.affiliate_sale_events as sale on sale.id = sale_id
  where is_recurring
  limit 1
`
const NAMED = "Each sale and its commission name each other"
const SAME =
  "Each commission has its sale's partner, program, transaction, time, amount and currency"
const PAYS = "Each commission is what its policy pays for its sale"
const EARNS = "Each renewal earns exactly while its subscription does"
const SHARE = "Each refund deducts its share of the commission"

/** Damage to what commissions and refunds follow from. */
export const AMOUNTS_DAMAGES: Damage[] = [
  {
    damage: "a commission that was deleted",
    invariant: NAMED,
    sql: `delete from commissions.commissions where id = ${PENDING}`,
  },
  {
    damage: "a sale that was deleted",
    invariant: NAMED,
    sql: `delete from tracking.affiliate_sale_events where commission_id = ${PENDING}`,
  },
  in_sale("a sale that names another commission", NAMED, "commission_id = commission_id + 1000"),
  in_commission("a commission of another transaction", SAME, "transaction_id = 'other'"),
  in_commission("a commission of another partner", SAME, "partner_id = partner_id - 1"),
  in_commission("a commission of another program", SAME, "program_id = program_id - 1"),
  in_commission("a commission of another amount", SAME, "sale_amount_cents = 1"),
  in_sale("a sale dated back", SAME, "sale_date = sale_date - interval '1 day'"),
  in_commission("a commission one cent too high", PAYS, "amount_cents = amount_cents + 1"),
  {
    damage: "a commission raised with its entry and its balance",
    invariant: PAYS,
    sql: `
      update commissions.ledger set amount_cents = amount_cents + 5
      where kind = 'commission' and commission_id = ${PENDING};
      ${balancing("5", `(select id from commissions.ledger where commission_id = ${PENDING})`)}
      update commissions.commissions set amount_cents = amount_cents + 5 where id = ${PENDING}
    `,
  },
  in_sale("a sale of another amount", PAYS, "amount_cents = amount_cents + 1000"),
  in_sale("a sale in another currency", PAYS, "currency = 'CHF'"),
  {
    damage: "a sale of another product",
    invariant: PAYS,
    sql: `update tracking.affiliate_sale_events set product_id = 'scroll' where product_id = 'book'`,
  },
  in_commission("a commission in another currency", PAYS, "currency = 'CHF'"),
  in_policy("a policy with another rate", PAYS, "rate_bps = rate_bps + 100", POLICY_OF_PENDING),
  in_policy(
    "a policy with another price of a product",
    PAYS,
    `products = replace(products::text, '1250', '1350')::jsonb`,
    POLICY_OF_PRODUCTS,
  ),
  {
    damage: "a renewal that earned nothing",
    invariant: EARNS,
    sql: `
      delete from commissions.commissions
      where sale_id in (
        select id from tracking.affiliate_sale_events where first_sale_id is not null
      );
      update tracking.affiliate_sale_events set commission_id = null
      where first_sale_id is not null
    `,
  },
  in_policy("a subscription that had ended", EARNS, "duration_months = 0", POLICY_OF_RENEWAL),
  {
    damage: "a refund that deducted a cent more, with its entry, balance and commission",
    invariant: SHARE,
    sql: `
      update commissions.ledger set amount_cents = amount_cents - 1
      where kind = 'deduction' and refund_id = ${REFUND};
      ${balancing(
        "-1",
        `(select id from commissions.ledger where kind = 'deduction' and refund_id = ${REFUND})`,
      )}
      update commissions.commissions set deducted_cents = deducted_cents + 1
      where id = (select commission_id from commissions.refunds where id = ${REFUND})
        and deducted_cents < amount_cents;
      update commissions.refunds set deduction_cents = deduction_cents + 1 where id = ${REFUND}
    `,
  },
  {
    damage: "a refund of more of its sale",
    invariant: SHARE,
    sql: `
      update commissions.commissions set refunded_cents = refunded_cents + 10
      where id = (select commission_id from commissions.refunds where id = ${REFUND});
      update commissions.refunds set refund_cents = refund_cents + 10 where id = ${REFUND}
    `,
  },
]
