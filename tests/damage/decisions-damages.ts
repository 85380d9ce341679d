import {
  commission,
  in_commission,
  in_policy,
  PENDING,
  POLICY_OF_PENDING,
  REFUND,
} from "./commission-rows"
import type { Damage } from "./damages"

const PAID = commission("status = 'paid'")
const REJECTED = commission("status = 'rejected'")
const REFUNDS = "Each commission matches its refunds in status, amounts and reason"
const LOGGED = "Each payout and each rejection is in the audit log, and nothing else is"
const APPROVED = "Each commission was approved by its hold or by a decision"
const REFUND_NOTICE = "Each refund has one notification, and one warning if the commission was paid"
const DECISION_NOTICE =
  "Each rejection and each payout has one notification, and nothing else has one"
const ADDRESSED = "Each notification is addressed to the partner or workspace of its commission"
const VERSIONS = "Each group has all versions of its policy, none of them from before it was made"
const OF_PROGRAM = "Each commission follows a policy of its program"
const IN_FORCE = "Each commission follows the group and policy that were in force for its sale"

/** Damage to statuses, policies, notifications and the audit log of commissions. */
export const DECISIONS_DAMAGES: Damage[] = [
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
    "hold_ends_at = '2020-01-01'",
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
  in_commission("a commission paid without a decision", LOGGED, "status = 'paid', paid_at = now()"),
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
    "a policy that took effect after the sale",
    IN_FORCE,
    "after_sale_id = 999999",
    "select max(id) from commissions.policies where version > 1",
  ),
  {
    damage: "a partner who had been in another group when the sale came",
    invariant: IN_FORCE,
    sql: `update commissions.partner_versions as stored set group_id = group_id + 1
      from commissions.commissions as commission
      where (stored.program_id, stored.partner_id) = (commission.program_id, commission.partner_id)
        and commission.id = ${PENDING}`,
  },
  {
    damage: "a newer policy that a sale should have earned by",
    invariant: IN_FORCE,
    sql: `insert into commissions.policies (
        group_id, version, effective_from, kind, rate_bps, hold_days, auto_approve, products,
        created_at
      )
      select
        group_id, 9, '2020-01-01', kind, rate_bps, hold_days, auto_approve, products, '2020-01-01'
      from commissions.policies
      where id = (${POLICY_OF_PENDING})`,
  },
  {
    damage: "a partner moved past its versions",
    invariant: "Each partner has the group and status of its last version",
    sql: `update commissions.partner_programs set status = 'suspended'
      where id = (select max(id) from commissions.partner_programs)`,
  },
  in_policy(
    "a policy that approves nothing",
    OF_PROGRAM,
    "auto_approve = false",
    POLICY_OF_PENDING,
  ),
  in_commission(
    "a commission under another program's policy",
    OF_PROGRAM,
    "policy_id = (select min(id) from commissions.policies)",
  ),
  {
    damage: "a partner in another program's group",
    invariant: "Each partner is in a group of its program",
    sql: `update commissions.partner_programs set group_id = (select min(id) from commissions.groups)
      where id = (select max(id) from commissions.partner_programs)`,
  },
]
