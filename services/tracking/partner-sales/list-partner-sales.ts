import type { RequestOf } from "../../../lib/bus/operation"
import { rowsThatFit } from "../../../lib/bus/rows-that-fit"
import type * as contract from "../contract"
import { sql } from "../db"
import { isOfPartner, partnerSalesWhere } from "./partner-sales"

type Request = RequestOf<typeof contract.listPartnerSales>

export async function listPartnerSales({ program_id, partner_id, filter, slice }: Request) {
  const partner = { program_id, partner_id }
  const { from, to, is_unpaid = false } = filter
  const isWanted = sql`
    ${from === undefined ? sql`` : sql`and sale.sale_date >= ${from}`}
    ${to === undefined ? sql`` : sql`and sale.sale_date <= ${to}`}
    ${is_unpaid ? sql`and sale.commission_id is null` : sql``}
  `
  const page = sql`limit ${slice.limit} offset ${slice.offset}`
  const rows = await partnerSalesWhere(partner, isWanted, page)
  const [{ total }] = await sql<[{ total: number }]>`
    select count(*) as total
    from affiliate_sale_events as sale
    where ${isOfPartner(partner)} ${isWanted}
  `
  return { rows: rowsThatFit(rows), total }
}
