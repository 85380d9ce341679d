import type { RequestOf } from "../../../lib/bus/operation"
import { differences, recordChange } from "../../../lib/record-change"
import type * as contract from "../contract"
import type { Member } from "../contract"
import { sql } from "../db"
import { revokeKeysOf } from "../keys/revoke-key"
import { storeCreators } from "../keys/store-creators"
import { findChangeableMember, lockMembers, requireActiveOwner, requireCanManage } from "./members"

type Request = RequestOf<typeof contract.updateMember>

/** When two owners demote each other, or themselves, the second change sees the first. */
export const updateMember = ({ changes, ...request }: Request): Promise<Member> =>
  sql.begin(async sql => {
    const { workspace_id, user_id, changed_by } = request
    await lockMembers(sql, workspace_id)
    const member = await findChangeableMember(sql, request)
    await storeCreators(sql, workspace_id)
    const { role = member.role, status = member.status } = changes
    await requireCanManage(sql, { user_id: changed_by, workspace_id }, role)

    await sql`
      update memberships
      set role = ${role}, status = ${status}
      where (workspace_id, user_id) = (${workspace_id}, ${user_id})
    `
    await requireActiveOwner(sql, workspace_id)
    if (changes.status === "suspended" && changes.revoke_keys !== false) {
      await revokeKeysOf(sql, workspace_id, user_id)
    }
    const changed = { ...member, role, status }
    const details = differences(member, changed)
    const action = "member.update"
    await recordChange(sql, { workspace_id, action, subject_id: user_id, details })
    return changed
  })
