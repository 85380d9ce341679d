import type { RequestOf } from "../../lib/contract"
import { sliceOf } from "../../lib/fields"
import type * as contract from "./contract"
import { sql } from "./db"
import { groupsWhere } from "./groups"

export async function listGroups({ program_id, page }: RequestOf<typeof contract.listGroups>) {
  const rows = await groupsWhere({ program_id, ...sliceOf(page) })
  const [{ total }] = await sql<[{ total: number }]>`
    select count(*) as total
    from groups
    where program_id = ${program_id}
  `
  return { rows, total }
}
