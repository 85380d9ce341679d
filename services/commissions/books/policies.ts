import type { Invariant } from "../../../lib/reconcile"

/** Each program has a Default group, each group its policy versions, each commission one of them. */
export const POLICIES: Invariant[] = [
  {
    invariant: "Each program has a Default group",
    table: "programs",
    violations: sql => sql`
      select format('Program %s', program_id), 'has no Default group.'
      from programs
      where not exists (
        select
        from groups
        where groups.program_id = programs.program_id
          and is_default
      )
    `,
  },
  {
    invariant: "Each group has all versions of its policy, none of them from before it was made",
    table: "policies",
    violations: sql => sql`
      select
        format('Group %s', groups.id),
        format('has %s versions of its policy, up to version %s.', count(policy.id),
          coalesce(max(policy.version), 0))
      from groups
      left join policies as policy on policy.group_id = groups.id
      group by groups.id
      having count(policy.id) = 0
        or count(policy.id) <> max(policy.version)
        or bool_or(effective_from < policy.created_at)
    `,
  },
  {
    invariant: "Each commission follows a policy of its program",
    table: "commissions",
    violations: sql => sql`
      select
        format('Commission %s', commission.id),
        format('follows policy %s, %s.', policy_id,
          case
            when policy.id is null then 'which does not exist'
            when groups.program_id <> commission.program_id then 'of another program'
            else 'which approves nothing by itself'
          end)
      from commissions as commission
      left join policies as policy on policy.id = policy_id
      left join groups on groups.id = policy.group_id
      where policy.id is null
        or groups.program_id is distinct from commission.program_id
        or commission.auto_approve and not policy.auto_approve
    `,
  },
  {
    invariant: "Each partner has the group and status of its last version",
    table: "partner_programs",
    violations: sql => sql`
      select
        format('Partner %s of program %s', partner_id, program_id),
        format('is %s in group %s, but its version %s is %s in group %s.', partner.status,
          partner.group_id, version, stored.status, stored.group_id)
      from partner_programs as partner
      join partner_versions as stored using (program_id, partner_id, version)
      where (partner.group_id, partner.status) <> (stored.group_id, stored.status)
    `,
  },
  {
    invariant: "Each partner is in a group of its program",
    table: "partner_programs",
    violations: sql => sql`
      select
        format('Partner %s of program %s', partner_id, partner.program_id),
        format('is in group %s of another program.', group_id)
      from partner_programs as partner
      left join groups on groups.id = group_id
      where groups.program_id is distinct from partner.program_id
    `,
  },
]
