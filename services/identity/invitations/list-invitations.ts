import type { RequestOf } from "../../../lib/bus/operation"
import type * as contract from "../contract"
import type { PendingInvitation } from "../contract"
import { sql } from "../db"

type Request = RequestOf<typeof contract.listInvitations>

export async function listInvitations({ workspace_id, page }: Request) {
  const { page: number, pageSize: limit } = page
  const isPending = sql`workspace_id = ${workspace_id} and accepted_at is null`
  const rows = await sql<PendingInvitation[]>`
    select
      invitations.id, invitations.email, role, invited_by, users.name as invited_by_name,
      invitations.created_at, expires_at, expires_at <= now() as has_expired
    from invitations
    left join users on users.id = invited_by
    where ${isPending}
    order by invitations.id
    limit ${limit}
    offset ${(number - 1) * limit}
  `
  const [{ total }] = await sql<[{ total: number }]>`
    select count(*) as total
    from invitations
    where ${isPending}
  `
  return { rows, total }
}
