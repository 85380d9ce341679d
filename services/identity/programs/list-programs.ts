import type { RequestOf } from "../../../lib/bus/operation"
import type * as contract from "../contract"
import type { Program } from "../contract"
import { sql } from "../db"
import { shownProgram } from "./programs"

type Asked = RequestOf<typeof contract.listPrograms>

export async function listPrograms({ workspace_id, program_ids, page, pageSize }: Asked) {
  const are_listed = sql`
    workspace_id = ${workspace_id}
    and version > 0
    ${program_ids ? sql`and id = any (${program_ids}::bigint[])` : sql``}
  `
  const rows = await sql<Program[]>`
    select ${shownProgram}
    from programs
    where ${are_listed}
    order by id
    limit ${pageSize}
    offset ${(page - 1) * pageSize}
  `
  const [{ total }] = await sql<[{ total: number }]>`
    select count(*) as total
    from programs
    where ${are_listed}
  `
  return { rows, total }
}
