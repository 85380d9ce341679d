import type { RequestOf } from "../../../lib/bus/operation"
import type { Transaction } from "../../../lib/db/database"
import { Fault } from "../../../lib/fault"
import { differences, recordChange } from "../../../lib/record-change"
import type * as contract from "../contract"
import type { Member } from "../contract"
import { sql } from "../db"
import { changeableMember, refuseUnlessMay } from "./members"

type Asked = RequestOf<typeof contract.updateMember>

/**
 * Changes of one workspace's members queue at its row: of two owners who demote each other, or
 * themselves, the second sees what the first has done.
 */
export const updateMember = ({ changes, ...named }: Asked): Promise<Member> =>
  sql.begin(async sql => {
    const { workspace_id, user_id, changed_by } = named
    await sql`
      select 1
      from workspaces
      where id = ${workspace_id}
      for update
    `
    const member = await changeableMember(sql, named)
    const { role = member.role, status = member.status } = changes
    await refuseUnlessMay(sql, { user_id: changed_by, workspace_id }, role)

    await sql`
      update memberships
      set role = ${role}, status = ${status}
      where (workspace_id, user_id) = (${workspace_id}, ${user_id})
    `
    await refuseOwnerless(sql, workspace_id)
    const changed = { ...member, role, status }
    const details = differences(member, changed)
    const action = "member.update"
    await recordChange(sql, { workspace_id, action, subject_id: user_id, details })
    return changed
  })

async function refuseOwnerless(sql: Transaction, workspace_id: number) {
  const [owner] = await sql`
    select 1
    from memberships
    where workspace_id = ${workspace_id} and role = 'owner' and status = 'active'
    limit 1
  `
  if (!owner) throw new Fault("conflict", "A workspace must keep an active owner.")
}
