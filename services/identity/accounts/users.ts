import type { Database, Transaction } from "../../../lib/db/database"
import { Fault } from "../../../lib/fault"
import { foldedEmail } from "../../../lib/fields"
import { sql as pool } from "../db"

export type User = { id: number; email: string; name: string }

export async function findUser(user_id: number): Promise<User> {
  const [user] = await pool<[User]>`
    select id, email, name
    from users
    where id = ${user_id}
  `
  return user
}

/** Finds a user by e-mail address, in any spelling of it, with the password hash. */
export async function findUserByEmail(email: string) {
  const [user] = await pool<[(User & { password_hash: string })?]>`
    select id, email, name, password_hash
    from users
    where email_folded = ${foldedEmail(email)}
  `
  return user
}

/** Throws "conflict" if the address is taken. */
export async function createUser(
  sql: Transaction,
  { email, name, password_hash }: Omit<User, "id"> & { password_hash: string },
): Promise<User> {
  const [created] = await sql<[{ id: number }?]>`
    insert into users (email, email_folded, name, password_hash)
    values (${email}, ${foldedEmail(email)}, ${name}, ${password_hash})
    on conflict (email_folded) do nothing
    returning id
  `
  if (created) return { id: created.id, email, name }
  throw new Fault("conflict", "This e-mail address is already registered: sign in.")
}

/** The default workspace of a user: that of the oldest active membership. */
export async function findDefaultWorkspace(user_id: number, sql: Database | Transaction = pool) {
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
