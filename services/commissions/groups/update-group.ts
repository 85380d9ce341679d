import type { RequestOf } from "../../../lib/bus/operation"
import { differences, recordChange } from "../../../lib/record-change"
import type * as contract from "../contract"
import { checkPolicy } from "../contract"
import { sql } from "../db"
import { addPolicy, findPolicyStart } from "./policies"
import { findGroup, recordPolicyEvent } from "./policy-events"
import { showGroup } from "./show-group"

type Request = RequestOf<typeof contract.updateGroup>

export async function updateGroup({ program_id, group_id, change: { name, policy } }: Request) {
  await showGroup({ program_id, group_id })
  if (policy) checkPolicy(policy, false)
  const after_sale_id = policy ? await findPolicyStart(policy) : null

  await sql.begin(async sql => {
    // Locking the group's row lets one edit at a time add a policy version.
    const [before] = await sql<[{ name: string }]>`
      select name
      from groups
      where id = ${group_id}
      for update
    `
    const group = await findGroup(sql, { program_id, group_id })
    const after = { name: name ?? before.name, ...(policy && { policy }) }
    await sql`
      update groups
      set name = ${after.name}
      where id = ${group_id}
    `
    if (policy) {
      await addPolicy(sql, group_id, policy, after_sale_id)
      await recordPolicyEvent(sql, program_id, group)
    }
    const details = differences(before, after)
    await recordChange(sql, { program_id, action: "group.update", subject_id: group_id, details })
  })
  return showGroup({ program_id, group_id })
}
