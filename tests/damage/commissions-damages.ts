import type { Damage } from "./damages"

const commission = (condition: string) => `(
  select id
  from commissions.commissions
  where ${condition}
  order by id desc
  limit 1
)`
const PENDING = commission("status = 'pending'")
const PAID = commission("status = 'paid'")
const REJECTED = commission("status = 'rejected'")
const REFUND = "(select max(id) from commissions.refunds where status = 'refunded')"
const CLAMP = "(select max(id) from commissions.ledger where kind = 'clamp')"

const in_commission = (
  damage: string,
  invariant: string,
  change: string,
  id = PENDING,
): Damage => ({
  damage,
  invariant,
  sql: `update commissions.commissions set ${change} where id = ${id}`,
})
const in_sale = (damage: string, invariant: string, change: string): Damage => ({
  damage,
  invariant,
  sql: `update tracking.affiliate_sale_events set ${change} where commission_id = ${PENDING}`,
})
const in_policy = (damage: string, invariant: string, change: string, id: string): Damage => ({
  damage,
  invariant,
  sql: `update commissions.policies set ${change} where id = (${id})`,
})
const in_ledger = (damage: string, invariant: string, change: string, id: string): Damage => ({
  damage,
  invariant,
  sql: `update commissions.ledger set ${change} where id = ${id}`,
})

/** Adds to the balance of a ledger entry's partner, so that the sum of all entries still agrees. */
const balancing = (cents: string, entry: string) => `
  update commissions.balances as balance set balance_cents = balance_cents + ${cents}
  from commissions.ledger as entry
  where entry.id = ${entry}
    and (balance.program_id, balance.partner_id, balance.currency) =
      (entry.program_id, entry.partner_id, entry.currency);
`

const POLICY_OF_PENDING = `select policy_id from commissions.commissions where id = ${PENDING}`
const POLICY_OF_PRODUCTS = "select max(id) from commissions.policies where products <> '[]'"
const POLICY_OF_RENEWAL = `
  select policy_id
  from commissions.commissions
  join tracking.affiliate_sale_events as sale on sale.id = sale_id
  where is_recurring
  limit 1
`

const NAMED = "Each sale and its commission name each other"
const SAME = "Each commission is of the partner, program, transaction and time of its sale"
const PAYS = "Each commission is what its policy pays for its sale"
const EARNS = "Each renewal earns exactly while its subscription does"
const SHARE = "Each refund deducts its share of the commission"
const BALANCE = "Each balance is the sum of its ledger entries"
const ENTRIES = "Each commission, payout, rejection and deduction has exactly one entry"
const CLAMPS = "Each clamp gives back what its deduction took below zero"
const REFUNDS = "Each commission matches its refunds in status, amounts and reason"
const LOGGED = "Each payout and each rejection is in the audit log, and nothing else is"
const APPROVED = "Each commission was approved by its hold or by a decision"
const REFUND_NOTICE = "Each refund has one notification, and one warning if the commission was paid"
const DECISION_NOTICE =
  "Each rejection and each payout has one notification, and nothing else has one"
const ADDRESSED = "Each notification is addressed to the partner or workspace of its commission"
const VERSIONS = "Each group has all versions of its policy, none of them from before it was made"
const IN_FORCE = "Each commission follows a policy of its program that was in force"

export const COMMISSIONS_DAMAGES: Damage[] = [
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
  in_commission("a commission approved during its hold", APPROVED, "status = 'approved'"),
  {
    damage: "an approval that is in no audit log",
    invariant: APPROVED,
    sql: `delete from commissions.audit_entries
      where action = 'commission.approve' and subject_id = ${PAID}`,
  },
  in_commission(
    "a commission still pending after its hold",
    "No commission is pending for more than a minute after its hold",
    "hold_ends_at = now() - interval '2 minutes'",
  ),
  in_commission(
    "a hold that was prolonged",
    "Each hold lasts as long as its policy says",
    "hold_ends_at = hold_ends_at + interval '1 day'",
  ),
  in_commission(
    "a refunded commission set back to pending",
    REFUNDS,
    "status = 'pending'",
    commission("status = 'refunded'"),
  ),
  in_commission("a commission reversed without a refund", REFUNDS, "status = 'reversed'"),
  in_commission(
    "a refund's reason that was altered",
    REFUNDS,
    "refund_reason = 'other'",
    commission("refund_reason is not null"),
  ),
  {
    damage: "a refund that was deleted",
    invariant: REFUNDS,
    sql: `delete from commissions.refunds where id = ${REFUND}`,
  },
  in_commission("a commission paid by nobody", LOGGED, "status = 'paid', paid_at = now()"),
  {
    damage: "a rejection that is in no audit log",
    invariant: LOGGED,
    sql: `delete from commissions.audit_entries where action = 'commission.reject'`,
  },
  in_commission(
    "a rejection's reason that was altered",
    LOGGED,
    "rejection_reason = 'x'",
    REJECTED,
  ),
  in_commission(
    "a rejection's reason without a rejection",
    "Only a rejection has a reason for it",
    "rejection_reason = 'x'",
  ),
  {
    damage: "a refund of which no partner was notified",
    invariant: REFUND_NOTICE,
    sql: `delete from commissions.notifications
      where recipient = 'partner' and refund_id = ${REFUND}`,
  },
  {
    damage: "a refund of a paid commission without a warning",
    invariant: REFUND_NOTICE,
    sql: `delete from commissions.notifications where kind = 'paid_commission_refunded'`,
  },
  {
    damage: "a rejection of which no partner was notified",
    invariant: DECISION_NOTICE,
    sql: `delete from commissions.notifications where kind = 'commission_rejected'`,
  },
  {
    damage: "a notification to another partner",
    invariant: ADDRESSED,
    sql: `update commissions.notifications set partner_id = partner_id + 1
      where id = (select min(id) from commissions.notifications where recipient = 'partner')`,
  },
  {
    damage: "a warning to another workspace",
    invariant: ADDRESSED,
    sql: `update commissions.notifications set workspace_id = workspace_id + 1
      where recipient = 'advertiser'`,
  },
  {
    damage: "a program without a Default group",
    invariant: "Each program has a Default group",
    sql: `update commissions.groups set is_default = false
      where id = (select min(id) from commissions.groups)`,
  },
  {
    damage: "a policy without its first version",
    invariant: VERSIONS,
    sql: `delete from commissions.policies
      where version = 1 and group_id = (
        select group_id from commissions.policies where version = 2 limit 1
      )`,
  },
  in_policy(
    "a policy dated back",
    VERSIONS,
    "effective_from = effective_from - interval '1 day'",
    "select max(id) from commissions.policies",
  ),
  in_policy(
    "a policy that was not in force yet",
    IN_FORCE,
    "effective_from = now() + interval '1 day'",
    "select max(id) from commissions.policies where version > 1",
  ),
  in_policy("a policy that approves nothing", IN_FORCE, "auto_approve = false", POLICY_OF_PENDING),
  in_commission(
    "a commission under another program's policy",
    IN_FORCE,
    "policy_id = (select min(id) from commissions.policies)",
  ),
  {
    damage: "a partner in another program's group",
    invariant: "Each partner is in a group of its program",
    sql: `update commissions.partner_programs set group_id = (select min(id) from commissions.groups)
      where id = (select max(id) from commissions.partner_programs)`,
  },
]
