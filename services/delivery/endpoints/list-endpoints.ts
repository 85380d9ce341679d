import type { RequestOf } from "../../../lib/bus/operation"
import type * as contract from "../contract"
import type { Endpoint } from "../contract"
import { sql } from "../db"
import { endpointColumns, isWithin } from "./endpoints"

type Request = RequestOf<typeof contract.listEndpoints>

/** A key limited to some programs sees only endpoints within that limit. */
export async function listEndpoints({ workspace_id, limited_to, page }: Request) {
  const isListed = sql`
    workspace_id = ${workspace_id}
    ${isWithin(sql, limited_to)}
  `
  const rows = await sql<Endpoint[]>`
    select ${endpointColumns}
    from webhook_endpoints as endpoint
    where ${isListed}
    order by id
    limit ${page.pageSize}
    offset ${(page.page - 1) * page.pageSize}
  `
  const [{ total }] = await sql<[{ total: number }]>`
    select count(*) as total
    from webhook_endpoints
    where ${isListed}
  `
  return { rows, total }
}
