import type { RequestOf } from "../../../lib/bus/operation"
import type * as contract from "../contract"
import type { Postback } from "../contract"
import { sql } from "../db"
import { isOwnedBy, postbackColumns } from "./postbacks"

type Request = RequestOf<typeof contract.listPostbacks>

export async function listPostbacks({ owner, page }: Request) {
  const rows = await sql<Postback[]>`
    select ${postbackColumns}
    from postbacks
    where ${isOwnedBy(owner)}
    order by id
    limit ${page.pageSize}
    offset ${(page.page - 1) * page.pageSize}
  `
  const [{ total }] = await sql<[{ total: number }]>`
    select count(*) as total
    from postbacks
    where ${isOwnedBy(owner)}
  `
  return { rows, total }
}
