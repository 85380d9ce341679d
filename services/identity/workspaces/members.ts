import type { Database, Transaction } from "../../../lib/db/database"
import { Fault } from "../../../lib/fault"
import { findMemberAccess, isAllowed } from "../access/workspace-access"
import type { Member, Role } from "../contract"

type MemberQuery = { workspace_id: number; user_id?: number; limit?: number; offset?: number }

/** Selects members as the API shows them, by user_id: all of a workspace, or one. */
export const membersWhere = (
  sql: Database | Transaction,
  { workspace_id, user_id, limit = 1, offset = 0 }: MemberQuery,
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

type MemberChange = { workspace_id: number; user_id: number; changed_by: number }

/** Finds a member that `changed_by` may change. Throws "forbidden" before "missing" (behaviour 1.2). */
export async function findChangeableMember(
  sql: Database | Transaction,
  { workspace_id, user_id, changed_by }: MemberChange,
): Promise<Member> {
  const access = await findMemberAccess(sql, workspace_id, changed_by)
  if (access?.status !== "active") throw new Fault("missing", "Workspace not found.")
  if (!isAllowed(access, "member:manage")) throw mayNotManage()
  const [member] = await membersWhere(sql, { workspace_id, user_id })
  if (!member) throw new Fault("missing", "Member not found in this workspace.")

  await requireCanManage(sql, { user_id: changed_by, workspace_id }, member.role)
  return member
}

/** Throws "forbidden" unless this user may invite, appoint and change members of this role. */
export async function requireCanManage(
  sql: Database | Transaction,
  { user_id, workspace_id }: { user_id: number; workspace_id: number },
  role: Role,
) {
  const access = await findMemberAccess(sql, workspace_id, user_id)
  if (!isAllowed(access, "member:manage")) throw mayNotManage()
  if (role === "owner" && access?.role !== "owner") {
    throw new Fault("forbidden", "Only an owner may invite, appoint or change an owner.")
  }
}

/** Locks a workspace, so that changes of its members run one at a time. */
export const lockMembers = (sql: Transaction, workspace_id: number) => sql`
  select 1
  from workspaces
  where id = ${workspace_id}
  for update
`

/** Throws "conflict" if a change has left the workspace without an active owner. */
export async function requireActiveOwner(sql: Transaction, workspace_id: number) {
  const [owner] = await sql`
    select 1
    from memberships
    where workspace_id = ${workspace_id} and role = 'owner' and status = 'active'
    limit 1
  `
  if (!owner) throw new Fault("conflict", "A workspace must keep an active owner.")
}

const mayNotManage = () => new Fault("forbidden", "You may not do this in this workspace.")
