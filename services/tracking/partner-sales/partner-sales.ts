import type { Fragment } from "../../../lib/db/database"
import type { PartnerSale } from "../contract"
import { customerAlias } from "../customers/customer-alias"
import { sql } from "../db"

type PartnerKey = { program_id: number; partner_id: number }
type Row = Omit<PartnerSale, "customer"> & { customer_id: number }

/** Restricts `sale` to the sales that its partner may see: pending and test sales stay hidden. */
export const isOfPartner = ({ program_id, partner_id }: PartnerKey) => sql`
  sale.program_id = ${program_id}
  and sale.partner_id = ${partner_id}
  and not sale.is_test
  and sale.state = 'complete'
`

/** Returns sales as their partner may know them, newest first. `page` may end the query. */
export async function partnerSalesWhere(
  { program_id, partner_id }: PartnerKey,
  isWanted: Fragment,
  page: Fragment,
): Promise<PartnerSale[]> {
  const rows = await sql<Row[]>`
    select
      sale.id, sale.sale_date, sale.currency, sale.customer_id, link.code, sale.sub_id,
      sale.transaction_id, sale.first_sale_id, sale.is_attributed, sale.window_days,
      sale.commission_id
    from affiliate_sale_events as sale
    join referral_links as link on link.id = sale.link_id
    where ${isOfPartner({ program_id, partner_id })} ${isWanted}
    order by sale.id desc
    ${page}
  `
  return rows.map(({ customer_id, ...sale }) => ({
    ...sale,
    customer: customerAlias(partner_id, customer_id),
  }))
}
