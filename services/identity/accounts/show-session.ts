import type { RequestOf } from "../../../lib/bus/operation"
import type * as contract from "../contract"
import { sql } from "../db"
import { findUser } from "./users"

type Membership = { workspace: { id: number; name: string }; role: string; status: string }

export async function showSession({ user_id }: RequestOf<typeof contract.showSession>) {
  const memberships = await sql<Membership[]>`
    select
      json_build_object('id', workspaces.id, 'name', workspaces.name) as workspace,
      memberships.role,
      memberships.status
    from memberships
    join workspaces on workspaces.id = memberships.workspace_id
    where memberships.user_id = ${user_id}
    order by memberships.created_at, memberships.workspace_id
  `
  const [partner] = await sql<[{ id: number }?]>`
    select id
    from partner_accounts
    where user_id = ${user_id}
  `
  return { user: await findUser(user_id), memberships, partner: partner ?? null }
}
