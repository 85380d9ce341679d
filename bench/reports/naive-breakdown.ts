import type { Range } from "./naive"
import type { Program } from "./program"
import type { Database } from "./tributary"

/** The column of the owning services for each kind of breakdown. */
const COLUMNS = { partner: "partner_id", country: "geo_country", sub_id: "sub_id" }

export type By = keyof typeof COLUMNS
export type Row = {
  value: string | null
  clicks: number
  leads: number
  conversions: number
  revenue_cents: number
  commission_cents: number
}

/** The yardstick for breakdowns: counts and amounts of each value, aggregated from the events. */
export async function breakDown(
  sql: Database,
  { id, currency }: Program,
  by: By,
  { dateFrom, dateTo }: Range,
  limit: number,
) {
  const column = sql(COLUMNS[by])
  const from = by === "partner" ? sql`commission` : sql`sale`
  const rows = await sql<(Row & { total: number })[]>`
    select
      value::text as value, sum(clicks)::bigint as clicks, sum(leads)::bigint as leads,
      sum(conversions)::bigint as conversions, sum(revenue_cents)::bigint as revenue_cents,
      sum(commission_cents)::bigint as commission_cents, count(*) over () as total
    from (
      select
        ${column} as value, count(*) as clicks, 0 as leads, 0 as conversions, 0 as revenue_cents,
        0 as commission_cents
      from tracking.affiliate_click_events
      where program_id = ${id} and not is_test
        and click_timestamp between ${dateFrom} and ${dateTo}
      group by 1
      union all
      select ${column}, 0, count(*), 0, 0, 0
      from tracking.affiliate_lead_events
      where program_id = ${id} and not is_test
        and lead_timestamp between ${dateFrom} and ${dateTo}
      group by 1
      union all
      select
        ${column}, 0, 0, count(*) filter (where converts),
        coalesce(sum(amount_cents) filter (where currency = ${currency}), 0), 0
      from tracking.affiliate_sale_events
      where program_id = ${id} and not is_test and state = 'complete'
        and sale_date between ${dateFrom} and ${dateTo}
      group by 1
      union all
      select
        ${from}.${column}, 0, 0, 0, 0,
        coalesce(
          sum(commission.amount_cents) filter (where commission.currency = ${currency}), 0
        )
      from commissions.commissions as commission
      join tracking.affiliate_sale_events as sale on sale.id = commission.sale_id
      where commission.program_id = ${id}
        and commission.created_at between ${dateFrom} and ${dateTo}
      group by 1
    ) as part
    group by value
    order by clicks desc, coalesce(value::text, '') collate "C"
    limit ${limit}
  `
  return { rows, total: rows[0]?.total ?? 0 }
}
