import { newOwner } from "./program"
import { sql } from "./world"

type Workspace = { workspace_id: number }

/** The session of somebody who is a member of the workspace, in this role, besides their own. */
export async function newMember({ workspace_id }: Workspace, role: string, status = "active") {
  const { session, user_id } = await newOwner()
  await sql`
    insert into identity.memberships (workspace_id, user_id, role, status)
    values (${workspace_id}, ${user_id}, ${role}, ${status})
  `
  return session
}

/** The same of somebody who is a member of no other workspace. */
export async function newMemberOnly({ workspace_id }: Workspace, role: string, status = "active") {
  const { session, user_id } = await newOwner()
  await sql`
    update identity.memberships
    set workspace_id = ${workspace_id}, role = ${role}, status = ${status}
    where user_id = ${user_id}
  `
  return session
}
