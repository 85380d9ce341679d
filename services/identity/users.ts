import { sql } from "./db"

export type User = { id: number; email: string; name: string }

/** What is compared of an address: its letters without their case, composed the same way. */
export const folded = (email: string): string => email.normalize("NFC").toLowerCase()

export async function findUser(user_id: number): Promise<User> {
  const [user] = await sql<[User]>`
    select id, email, name
    from users
    where id = ${user_id}
  `
  return user
}

/** The workspace that a user means who names none: the oldest active membership's. */
export async function findDefaultWorkspace(user_id: number) {
  const [workspace] = await sql<[{ id: number; name: string }?]>`
    select workspaces.id, workspaces.name
    from memberships
    join workspaces on workspaces.id = memberships.workspace_id
    where memberships.user_id = ${user_id} and memberships.status = 'active'
    order by memberships.created_at, memberships.workspace_id
    limit 1
  `
  return workspace
}
