import type { Transaction } from "../../../lib/db/database"
import type { Feed } from "../../../lib/feeds/source"
import type { SaleRow } from "../../tracking/contract"
import {
  addToBreakdown,
  commissionFacts,
  eventFacts,
  factColumns,
} from "../rollups/daily-breakdown"
import { clearSaleDimensions } from "./commissions"
import { anonymizeErased } from "./erasures"
import { createPartitions, deleteEvents } from "./event-rows"

/** Stores sales as conversion events. The first sale of a customer also converts the customer. */
export const sales: Feed<SaleRow> = { name: "sales", prepare, apply, forget }

async function prepare(sql: Transaction, received: SaleRow[]) {
  const times = received.map(row => row.sale_date)
  const [rows] = await Promise.all([anonymizeErased(sql, received), createPartitions(sql, times)])
  return rows
}

/** Moves commissions that arrived before their sale to the breakdown values of the sale. */
async function apply(sql: Transaction, rows: SaleRow[]) {
  const facts = sql`
    ${eventFacts(sql, sql`stored`)}
    union all
    ${commissionFacts(sql, sql`matched`)}
    union all
    ${commissionFacts(sql, sql`reversed`)}
  `
  await sql`
    with stored as (
      insert into events (
        program_id, timestamp, event_type, id, customer_id, partner_id, link_id, click_id,
        transaction_id, amount_cents, currency, sale_type, payment_status, is_recurring, converts,
        geo_country, device_type, browser_name, referrer_host, sub_id, created_at
      )
      select
        program_id, sale_date, 'conversion', id, customer_id, partner_id, link_id, click_id,
        transaction_id, amount_cents, currency, sale_type, payment_status, is_recurring, converts,
        geo_country, device_type, browser_name, referrer_host, sub_id, created_at
      from jsonb_to_recordset(${sql.json(rows)}) as sale (
        program_id bigint, sale_date timestamptz, id bigint, customer_id bigint,
        partner_id bigint, link_id bigint, click_id text, transaction_id text,
        amount_cents bigint, currency text, sale_type text, payment_status text,
        is_recurring boolean, converts boolean, geo_country text, device_type text,
        browser_name text, referrer_host text, sub_id text, created_at timestamptz
      )
      returning id, customer_id, ${factColumns(sql)}
    ),
    matched as (
      update commissions
      set
        link_id = stored.link_id,
        geo_country = stored.geo_country,
        device_type = stored.device_type,
        browser_name = stored.browser_name,
        referrer_host = stored.referrer_host,
        sub_id = stored.sub_id
      from stored
      where commissions.sale_id = stored.id
      returning commissions.*
    ),
    reversed as (
      select
        program_id, partner_id, created_at, currency, -amount_cents as amount_cents,
        null::bigint as link_id, null as geo_country, null as device_type, null as browser_name,
        null as referrer_host, null as sub_id
      from matched
    ),
    converted as (
      insert into conversions (customer_id, converted_at, last_click_event_id)
      select customer_id, sale_date, last_click_event_id
      from jsonb_to_recordset(${sql.json(rows)}) as sale (
        customer_id bigint, sale_date timestamptz, converts boolean, last_click_event_id bigint
      )
      where converts
    ),
    counted_by_hour as (
      insert into hourly (program_id, hour, sales)
      select program_id, date_trunc('hour', timestamp, 'UTC') as hour, count(*)
      from stored
      group by program_id, hour
      on conflict (program_id, hour) do update
      set sales = hourly.sales + excluded.sales
    ),
    counted_by_day as (
      insert into daily (program_id, day, sales, conversions)
      select
        program_id, (timestamp at time zone 'UTC')::date as day, count(*),
        count(*) filter (where converts)
      from stored
      group by program_id, day
      on conflict (program_id, day) do update
      set
        sales = daily.sales + excluded.sales,
        conversions = daily.conversions + excluded.conversions
    ),
    broken_down as (${addToBreakdown(sql, facts)})
    insert into daily_money (program_id, day, currency, revenue_cents)
    select program_id, (timestamp at time zone 'UTC')::date as day, currency, sum(amount_cents)
    from stored
    group by program_id, day, currency
    on conflict (program_id, day, currency) do update
    set revenue_cents = daily_money.revenue_cents + excluded.revenue_cents
  `
}

async function forget(sql: Transaction) {
  await deleteEvents(sql, "conversion")
  await sql`delete from conversions`
  await sql`update hourly set sales = 0 where sales > 0`
  await sql`update daily set sales = 0, conversions = 0 where sales > 0`
  await sql`update daily_money set revenue_cents = 0 where revenue_cents > 0`
  await sql`update daily_breakdown set conversions = 0, revenue_cents = 0 where revenue_cents > 0`
  await clearSaleDimensions(sql)
}
