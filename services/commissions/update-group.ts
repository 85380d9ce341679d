import type { RequestOf } from "../../lib/contract"
import type * as contract from "./contract"
import { checkPolicy } from "./contract"
import { sql } from "./db"
import { addPolicy } from "./policies"
import { showGroup } from "./show-group"

type Asked = RequestOf<typeof contract.updateGroup>

export async function updateGroup({ program_id, group_id, change: { name, policy } }: Asked) {
  await showGroup({ program_id, group_id })
  if (policy) checkPolicy(policy, false)

  await sql.begin(async sql => {
    // The lock on the group's row lets one edit at a time count up the versions.
    await sql`
      update groups
      set name = coalesce(${name ?? null}, name)
      where id = ${group_id}
    `
    if (policy) await addPolicy(sql, group_id, policy)
  })
  return showGroup({ program_id, group_id })
}
