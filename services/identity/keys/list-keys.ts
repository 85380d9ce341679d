import type { RequestOf } from "../../../lib/bus/operation"
import type * as contract from "../contract"
import type { Key } from "../contract"
import { sql } from "../db"
import { shownKey } from "./keys"

type Asked = RequestOf<typeof contract.listKeys>

/** A key of some programs is not told of those that reach further. */
export async function listKeys({ workspace_id, program_ids, page }: Asked) {
  const are_listed = sql`
    workspace_id = ${workspace_id}
    ${program_ids ? sql`and program_scope <@ ${program_ids}::bigint[]` : sql``}
  `
  const rows = await sql<Key[]>`
    select ${shownKey}
    from api_keys
    where ${are_listed}
    order by id
    limit ${page.pageSize}
    offset ${(page.page - 1) * page.pageSize}
  `
  const [{ total }] = await sql<[{ total: number }]>`
    select count(*) as total
    from api_keys
    where ${are_listed}
  `
  return { rows, total }
}
