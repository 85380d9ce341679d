import { feedOf } from "../../lib/cursors"
import type { Transaction } from "../../lib/db"
import { type ClickRow, feedClicks } from "../tracking/contract"
import { addUp, counted, eventFacts } from "./breakdowns"
import { forgetDroppedClicks, KEPT_FROM } from "./dropped-clicks"
import { forgetErasures, withoutErased } from "./erasures"
import { forgetEvents, makeRoom } from "./events"

export const clicks = feedOf("clicks", feedClicks, apply, forget)

async function apply(sql: Transaction, told: ClickRow[]) {
  const rows = await withoutErased(sql, told)
  await makeRoom(
    sql,
    rows.map(row => row.click_timestamp),
  )
  await sql`
    with stored as (
      insert into events (
        program_id, timestamp, event_type, id, customer_id, partner_id, link_id, click_id,
        session_id, page_url, referrer_url, geo_country, geo_region, geo_city,
        device_type, device_os, browser_name, referrer_host, sub_id, created_at
      )
      select
        program_id, click_timestamp, 'click', id, customer_id, partner_id, link_id, click_id,
        session_id, page_url, referrer_url, geo_country, geo_region, geo_city,
        device_type, device_os, browser_name, referrer_host, sub_id, created_at
      from jsonb_to_recordset(${sql.json(rows)}) as click (
        program_id bigint, click_timestamp timestamptz, id bigint, customer_id bigint,
        partner_id bigint, link_id bigint, click_id text, session_id text, page_url text,
        referrer_url text, geo_country text, geo_region text, geo_city text,
        device_type text, device_os text, browser_name text, referrer_host text, sub_id text,
        created_at timestamptz
      )
      where click_timestamp >= ${KEPT_FROM} -- the totals of what was dropped have the others
      returning ${counted(sql)}
    ),
    counted_by_hour as (
      insert into hourly (program_id, hour, clicks)
      select program_id, date_trunc('hour', timestamp, 'UTC') as hour, count(*)
      from stored
      group by program_id, hour
      on conflict (program_id, hour) do update
      set clicks = hourly.clicks + excluded.clicks
    ),
    broken_down as (${addUp(sql, eventFacts(sql, sql`stored`))})
    insert into daily (program_id, day, clicks)
    select program_id, (timestamp at time zone 'UTC')::date as day, count(*)
    from stored
    group by program_id, day
    on conflict (program_id, day) do update
    set clicks = daily.clicks + excluded.clicks
  `
}

async function forget(sql: Transaction) {
  await forgetErasures(sql)
  await forgetDroppedClicks(sql)
  await forgetEvents(sql, "click")
  await sql`update hourly set clicks = 0 where clicks > 0`
  await sql`update daily set clicks = 0 where clicks > 0`
  await sql`update daily_breakdown set clicks = 0 where clicks > 0`
}
