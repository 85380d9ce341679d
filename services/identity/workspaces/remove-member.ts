import type { RequestOf } from "../../../lib/bus/operation"
import { recordChange } from "../../../lib/record-change"
import type * as contract from "../contract"
import { sql } from "../db"
import { revokeKeysOf } from "../keys/revoke-key"
import { storeCreators } from "../keys/store-creators"
import { findChangeableMember, lockMembers, requireActiveOwner } from "./members"

type Request = RequestOf<typeof contract.removeMember>

/** The keys go as well: without a member, nothing would limit what they may do. */
export const removeMember = (request: Request) =>
  sql.begin(async sql => {
    const { workspace_id, user_id } = request
    await lockMembers(sql, workspace_id)
    const { role } = await findChangeableMember(sql, request)
    await storeCreators(sql, workspace_id)
    await sql`
      delete from memberships
      where (workspace_id, user_id) = (${workspace_id}, ${user_id})
    `
    await requireActiveOwner(sql, workspace_id)
    await revokeKeysOf(sql, workspace_id, user_id)
    const change = { workspace_id, subject_id: user_id, details: { role } }
    await recordChange(sql, { ...change, action: "member.remove" })
    return {}
  })
