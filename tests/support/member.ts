import { newOwner } from "./program"
import { sql } from "./world"

type Workspace = { workspace_id: number }

/** Adds a member with this role to the workspace, who also owns another. Returns their session. */
export async function newMember({ workspace_id }: Workspace, role: string, status = "active") {
  const { session, user_id } = await newOwner()
  await sql`
    insert into identity.memberships (workspace_id, user_id, role, status)
    values (${workspace_id}, ${user_id}, ${role}, ${status})
  `
  return session
}

/** Adds a member with this role who is in no other workspace. Returns their session. */
export async function newMemberOnly({ workspace_id }: Workspace, role: string, status = "active") {
  const { session, user_id } = await newOwner()
  await sql`
    update identity.memberships
    set workspace_id = ${workspace_id}, role = ${role}, status = ${status}
    where user_id = ${user_id}
  `
  return session
}
