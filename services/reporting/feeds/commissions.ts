import type { Transaction } from "../../../lib/db/database"
import type { Feed } from "../../../lib/feeds/source"
import type { CommissionRow } from "../../commissions/contract"
import { addToBreakdown, commissionFacts } from "../rollups/daily-breakdown"

/**
 * Stores commissions as they were created. Their link, country and so on come from their sale: a
 * commission that arrives before its sale has none until then.
 */
export const commissions: Feed<CommissionRow> = { name: "commissions", apply, forget }

async function apply(sql: Transaction, rows: CommissionRow[]) {
  await sql`
    with stored as (
      insert into commissions (
        id, program_id, partner_id, sale_id, amount_cents, currency, created_at,
        link_id, geo_country, device_type, browser_name, referrer_host, sub_id
      )
      select
        commission.id, commission.program_id, commission.partner_id, commission.sale_id,
        commission.amount_cents, commission.currency, commission.created_at,
        sale.link_id, sale.geo_country, sale.device_type, sale.browser_name, sale.referrer_host,
        sale.sub_id
      from jsonb_to_recordset(${sql.json(rows)}) as commission (
        id bigint, program_id bigint, partner_id bigint, sale_id bigint, amount_cents bigint,
        currency text, created_at timestamptz
      )
      left join events as sale
        on sale.id = commission.sale_id
        and sale.event_type = 'conversion'
      returning commissions.*
    ),
    broken_down as (${addToBreakdown(sql, commissionFacts(sql, sql`stored`))})
    insert into daily_money (program_id, day, currency, commission_cents)
    select program_id, (created_at at time zone 'UTC')::date as day, currency, sum(amount_cents)
    from stored
    group by program_id, day, currency
    on conflict (program_id, day, currency) do update
    set commission_cents = daily_money.commission_cents + excluded.commission_cents
  `
}

async function forget(sql: Transaction) {
  await sql`delete from commissions`
  await sql`update daily_money set commission_cents = 0 where commission_cents > 0`
  await clearSums(sql)
}

const clearSums = (sql: Transaction) => sql`
  update daily_breakdown set commission_cents = 0 where commission_cents > 0
`

/** Clears what commissions took from their sales, and rebuilds their breakdown without it. */
export async function clearSaleDimensions(sql: Transaction) {
  await sql`
    update commissions
    set
      link_id = null, geo_country = null, device_type = null, browser_name = null,
      referrer_host = null, sub_id = null
  `
  await clearSums(sql)
  await addToBreakdown(sql, commissionFacts(sql, sql`commissions`))
}
