import type { Database, Transaction } from "../../../lib/db/database"
import { Fault } from "../../../lib/fault"
import { may, memberStanding } from "../access/standing"
import type { Member, Role } from "../contract"

type Wanted = { workspace_id: number; user_id?: number; limit?: number; offset?: number }

/** Members as they are shown, by user_id: all of a workspace, or one. */
export const membersWhere = (
  sql: Database | Transaction,
  { workspace_id, user_id, limit = 1, offset = 0 }: Wanted,
) => sql<Member[]>`
  select user_id, email, users.name, role, status
  from memberships
  join users on users.id = user_id
  where workspace_id = ${workspace_id}
    ${user_id === undefined ? sql`` : sql`and user_id = ${user_id}`}
  order by user_id
  limit ${limit}
  offset ${offset}
`

type Named = { workspace_id: number; user_id: number; changed_by: number }

/** The member, if `changed_by` may change it. Throws "missing"; "forbidden": owners by owners. */
export async function changeableMember(
  sql: Database | Transaction,
  { workspace_id, user_id, changed_by }: Named,
): Promise<Member> {
  const standing = await memberStanding(sql, workspace_id, changed_by)
  if (standing?.status !== "active") throw new Fault("missing", "There is no such workspace.")
  const [member] = await membersWhere(sql, { workspace_id, user_id })
  if (!member) throw new Fault("missing", "The workspace has no such member.")

  await refuseUnlessMay(sql, { user_id: changed_by, workspace_id }, member.role)
  return member
}

/** Whether this user may now make, change or invite members of this role. Throws "forbidden". */
export async function refuseUnlessMay(
  sql: Database | Transaction,
  { user_id, workspace_id }: { user_id: number; workspace_id: number },
  role: Role,
) {
  const standing = await memberStanding(sql, workspace_id, user_id)
  if (!may(standing, "member:manage")) {
    throw new Fault("forbidden", "You may not do this in this workspace.")
  }
  if (role === "owner" && standing?.role !== "owner") {
    throw new Fault("forbidden", "Only an owner may do this to an owner.")
  }
}
