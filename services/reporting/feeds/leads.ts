import type { Transaction } from "../../../lib/db/database"
import type { Feed } from "../../../lib/feeds/source"
import type { LeadRow } from "../../tracking/contract"
import { addToBreakdown, eventFacts, factColumns } from "../rollups/daily-breakdown"
import { anonymizeErased } from "./erasures"
import { createPartitions, deleteEvents } from "./event-rows"

/** Stores leads as events, and counts them. */
export const leads: Feed<LeadRow> = { name: "leads", prepare, apply, forget }

async function prepare(sql: Transaction, received: LeadRow[]) {
  const times = received.map(row => row.lead_timestamp)
  const [rows] = await Promise.all([anonymizeErased(sql, received), createPartitions(sql, times)])
  return rows
}

async function apply(sql: Transaction, rows: LeadRow[]) {
  await sql`
    with stored as (
      insert into events (
        program_id, timestamp, event_type, id, customer_id, partner_id, link_id, click_id,
        customer_key, session_id, page_url,
        geo_country, device_type, browser_name, referrer_host, sub_id, created_at
      )
      select
        program_id, lead_timestamp, 'lead', id, customer_id, partner_id, link_id, click_id,
        customer_key, session_id, page_url,
        geo_country, device_type, browser_name, referrer_host, sub_id, created_at
      from jsonb_to_recordset(${sql.json(rows)}) as lead (
        program_id bigint, lead_timestamp timestamptz, id bigint, customer_id bigint,
        partner_id bigint, link_id bigint, click_id text, customer_key text, session_id text,
        page_url text, geo_country text, device_type text, browser_name text, referrer_host text,
        sub_id text, created_at timestamptz
      )
      returning ${factColumns(sql)}
    ),
    counted_by_hour as (
      insert into hourly (program_id, hour, leads)
      select program_id, date_trunc('hour', timestamp, 'UTC') as hour, count(*)
      from stored
      group by program_id, hour
      on conflict (program_id, hour) do update
      set leads = hourly.leads + excluded.leads
    ),
    broken_down as (${addToBreakdown(sql, eventFacts(sql, sql`stored`))})
    insert into daily (program_id, day, leads)
    select program_id, (timestamp at time zone 'UTC')::date as day, count(*)
    from stored
    group by program_id, day
    on conflict (program_id, day) do update
    set leads = daily.leads + excluded.leads
  `
}

async function forget(sql: Transaction) {
  await deleteEvents(sql, "lead")
  await sql`update hourly set leads = 0 where leads > 0`
  await sql`update daily set leads = 0 where leads > 0`
  await sql`update daily_breakdown set leads = 0 where leads > 0`
}
