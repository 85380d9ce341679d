import { feedOf } from "../../lib/cursors"
import type { Transaction } from "../../lib/db"
import { feedSales, type SaleRow } from "../tracking/contract"
import { forgetEvents, makeRoom } from "./events"

/** Conversion events. The first sale of a customer is its conversion as well. */
export const sales = feedOf("sales", feedSales, apply, forget)

async function apply(sql: Transaction, rows: SaleRow[]) {
  await makeRoom(
    sql,
    rows.map(row => row.sale_date),
  )
  await sql`
    with stored as (
      insert into events (
        program_id, timestamp, event_type, id, customer_id, partner_id, link_id, click_id,
        transaction_id, amount_cents, currency, sale_type, payment_status, is_recurring, converts,
        created_at
      )
      select
        program_id, sale_date, 'conversion', id, customer_id, partner_id, link_id, click_id,
        transaction_id, amount_cents, currency, sale_type, payment_status, is_recurring, converts,
        created_at
      from jsonb_to_recordset(${sql.json(rows)}) as sale (
        program_id bigint, sale_date timestamptz, id bigint, customer_id bigint,
        partner_id bigint, link_id bigint, click_id text, transaction_id text,
        amount_cents bigint, currency text, sale_type text, payment_status text,
        is_recurring boolean, converts boolean, created_at timestamptz
      )
      returning
        program_id, (timestamp at time zone 'UTC')::date as day,
        date_trunc('hour', timestamp, 'UTC') as hour,
        customer_id, timestamp, converts, currency, amount_cents
    ),
    converted as (
      insert into conversions (customer_id, converted_at)
      select customer_id, timestamp
      from stored
      where converts
    ),
    counted_by_hour as (
      insert into hourly (program_id, hour, sales)
      select program_id, hour, count(*)
      from stored
      group by program_id, hour
      on conflict (program_id, hour) do update
      set sales = hourly.sales + excluded.sales
    ),
    counted as (
      insert into daily (program_id, day, sales, conversions)
      select program_id, day, count(*), count(*) filter (where converts)
      from stored
      group by program_id, day
      on conflict (program_id, day) do update
      set
        sales = daily.sales + excluded.sales,
        conversions = daily.conversions + excluded.conversions
    )
    insert into daily_money (program_id, day, currency, revenue_cents)
    select program_id, day, currency, sum(amount_cents)
    from stored
    group by program_id, day, currency
    on conflict (program_id, day, currency) do update
    set revenue_cents = daily_money.revenue_cents + excluded.revenue_cents
  `
}

async function forget(sql: Transaction) {
  await forgetEvents(sql, "conversion")
  await sql`delete from conversions`
  await sql`update hourly set sales = 0 where sales > 0`
  await sql`update daily set sales = 0, conversions = 0 where sales > 0`
  await sql`update daily_money set revenue_cents = 0 where revenue_cents > 0`
}
