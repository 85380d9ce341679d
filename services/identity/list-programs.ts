import type { RequestOf } from "../../lib/contract"
import type * as contract from "./contract"
import type { Program } from "./contract"
import { sql } from "./db"
import { shown } from "./programs"

type Asked = RequestOf<typeof contract.listPrograms>

export async function listPrograms({ workspace_id, page, pageSize }: Asked) {
  const rows = await sql<Program[]>`
    select ${shown}
    from programs
    where workspace_id = ${workspace_id} and version > 0
    order by id
    limit ${pageSize}
    offset ${(page - 1) * pageSize}
  `
  const [{ total }] = await sql<[{ total: number }]>`
    select count(*) as total
    from programs
    where workspace_id = ${workspace_id} and version > 0
  `
  return { rows, total }
}
