import type { RequestOf } from "../../../lib/bus/operation"
import type * as contract from "../contract"
import { sql } from "../db"
import { membersWhere } from "./members"

export async function listMembers({ workspace_id, page }: RequestOf<typeof contract.listMembers>) {
  const { page: number, pageSize: limit } = page
  const rows = await membersWhere(sql, { workspace_id, limit, offset: (number - 1) * limit })
  const [{ total }] = await sql<[{ total: number }]>`
    select count(*) as total
    from memberships
    where workspace_id = ${workspace_id}
  `
  return { rows, total }
}
