import type { RequestOf } from "../../../lib/bus/operation"
import type * as contract from "../contract"
import { sql } from "../db"
import { partnerSalesWhere } from "./partner-sales"

type Request = RequestOf<typeof contract.showPartnerSales>

export async function showPartnerSales({ sale_ids, ...partner }: Request) {
  const isWanted = sql`and sale.id = any (${sale_ids}::bigint[])`
  return { sales: await partnerSalesWhere(partner, isWanted, sql``) }
}
