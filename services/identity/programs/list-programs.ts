import type { RequestOf } from "../../../lib/bus/operation"
import type * as contract from "../contract"
import type { Program } from "../contract"
import { sql } from "../db"
import { programColumns } from "./programs"

type Request = RequestOf<typeof contract.listPrograms>

export async function listPrograms({ workspace_id, program_ids, page, pageSize }: Request) {
  const isListed = sql`
    workspace_id = ${workspace_id}
    and version > 0
    and not (is_demo and status = 'archived')
    ${program_ids ? sql`and id = any (${program_ids}::bigint[])` : sql``}
  `
  const rows = await sql<Program[]>`
    select ${programColumns}
    from programs
    where ${isListed}
    order by id
    limit ${pageSize}
    offset ${(page - 1) * pageSize}
  `
  const [{ total }] = await sql<[{ total: number }]>`
    select count(*) as total
    from programs
    where ${isListed}
  `
  return { rows, total }
}
