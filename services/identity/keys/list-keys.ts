import type { RequestOf } from "../../../lib/bus/operation"
import type * as contract from "../contract"
import type { Key } from "../contract"
import { sql } from "../db"
import { keyColumns } from "./keys"

type Request = RequestOf<typeof contract.listKeys>

/** A key limited to some programs sees only keys within that limit. */
export async function listKeys({ workspace_id, program_ids, page }: Request) {
  const isListed = sql`
    workspace_id = ${workspace_id}
    ${program_ids ? sql`and program_scope <@ ${program_ids}::bigint[]` : sql``}
  `
  const rows = await sql<Key[]>`
    select ${keyColumns}
    from api_keys
    where ${isListed}
    order by id
    limit ${page.pageSize}
    offset ${(page.page - 1) * page.pageSize}
  `
  const [{ total }] = await sql<[{ total: number }]>`
    select count(*) as total
    from api_keys
    where ${isListed}
  `
  return { rows, total }
}
