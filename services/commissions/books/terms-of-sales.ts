import type { Owned } from "../../../lib/owned-rows"
import type { Invariant } from "../../../lib/reconcile"

/**
 * The terms of each commission are those that its sale fixed (create-commission.ts). A policy may
 * have been accepted up to ten seconds before a commission that could not see it yet.
 */
export const TERMS_OF_SALES: Omit<Invariant<Owned>, "table">[] = [
  {
    invariant: "Each commission follows the group and policy that were in force for its sale",
    violations: (sql, { rows }) => sql`
      select
        format('Commission %s', commission.id),
        format('follows version %s of the policy of group %s, but sale %s came under group %s%s.',
          policy.version, policy.group_id, sale.id, coalesce(stored.group_id, policy.group_id),
          ' and version ' || newer.version)
      from ${rows} as sale
      join commissions as commission on commission.sale_id = sale.id
      join policies as policy on policy.id = policy_id
      left join partner_versions as stored
        on stored.program_id = sale.program_id
        and stored.partner_id = sale.partner_id
        and stored.version = sale.partner_version
      left join lateral (
        select max(later.version) as version
        from policies as later
        where later.group_id = policy.group_id
          and later.version > policy.version
          and later.created_at < commission.created_at - interval '10 seconds'
          and coalesce(later.after_sale_id < sale.id, later.effective_from <= sale.sale_date)
      ) as newer on true
      where policy.group_id <> stored.group_id
        or newer.version is not null
        or policy.version > 1
        and not coalesce(policy.after_sale_id < sale.id, policy.effective_from <= sale.sale_date)
        or commission.auto_approve <> (policy.auto_approve and stored.status = 'approved')
    `,
  },
]
