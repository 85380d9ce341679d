import type { RequestOf } from "../../../lib/bus/operation"
import type * as contract from "../contract"
import { sql } from "../db"

type Request = RequestOf<typeof contract.listSettledSales>

/** Reads rows and total in one snapshot, so that a new sale in between cannot shift the page. */
export const listSettledSales = ({ program_id, partner_id, status, from, to, slice }: Request) =>
  sql.begin("isolation level repeatable read read only", async sql => {
    const isListed = sql`
      program_id = ${program_id}
      and partner_id = ${partner_id}
      and status = ${status}
      ${from === undefined ? sql`` : sql`and sale_date >= ${from}`}
      ${to === undefined ? sql`` : sql`and sale_date <= ${to}`}
    `
    const rows = await sql<{ sale_id: number }[]>`
      select sale_id
      from commissions
      where ${isListed}
      order by sale_id desc
      limit ${slice.limit}
      offset ${slice.offset}
    `
    const [{ total }] = await sql<[{ total: number }]>`
      select count(*) as total
      from commissions
      where ${isListed}
    `
    return { sale_ids: rows.map(({ sale_id }) => sale_id), total }
  })
