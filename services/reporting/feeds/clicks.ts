import { columnsOf } from "../../../lib/db/columns"
import type { Transaction } from "../../../lib/db/database"
import type { Feed } from "../../../lib/feeds/source"
import type { ClickRow } from "../../tracking/contract"
import { forgetEvents, makeRoom } from "../events/events"
import { KEPT_FROM } from "../retention/dropped-clicks"
import { addUpClicks } from "./click-counts"
import { withoutErased } from "./erasures"

export const clicks: Feed<ClickRow> = { name: "clicks", prepare, apply, forget }

async function prepare(sql: Transaction, told: ClickRow[]) {
  const times = told.map(row => row.click_timestamp)
  const [known, from] = await Promise.all([
    withoutErased(sql, told),
    keptFrom(sql),
    makeRoom(sql, times),
  ])
  // the totals of what retention has dropped have the others
  return from ? known.filter(row => row.click_timestamp >= from) : known
}

async function apply(sql: Transaction, rows: ClickRow[]) {
  await Promise.all([store(sql, rows), addUpClicks(sql, rows)])
}

/** From when on clicks are kept. Null: all of them. */
async function keptFrom(sql: Transaction): Promise<string | null> {
  const [{ time }] = await sql<[{ time: string | null }]>`
    select nullif(${KEPT_FROM}, '-infinity') as time
  `
  return time
}

/**
 * As arrays: PostgreSQL takes more than twice as long to take rows out of JSON. Each is unnested as
 * a column, since a function in FROM would store them all once more.
 */
async function store(sql: Transaction, rows: ClickRow[]) {
  const column = columnsOf(rows)

  await sql`
    insert into events (
      event_type, program_id, timestamp, id, customer_id, partner_id, link_id, click_id,
      session_id, page_url, referrer_url, geo_country, geo_region, geo_city,
      device_type, device_os, browser_name, referrer_host, sub_id, created_at
    )
    select
      'click', program_id, timestamp, id, customer_id, partner_id, link_id, click_id,
      session_id, page_url, referrer_url, geo_country, geo_region, geo_city,
      device_type, device_os, browser_name, referrer_host, sub_id, created_at
    from (
      select
        unnest(${column("program_id")}::bigint[]) as program_id,
        unnest(${column("click_timestamp")}::timestamptz[]) as timestamp,
        unnest(${column("id")}::bigint[]) as id,
        unnest(${column("customer_id")}::bigint[]) as customer_id,
        unnest(${column("partner_id")}::bigint[]) as partner_id,
        unnest(${column("link_id")}::bigint[]) as link_id,
        unnest(${column("click_id")}::text[]) as click_id,
        unnest(${column("session_id")}::text[]) as session_id,
        unnest(${column("page_url")}::text[]) as page_url,
        unnest(${column("referrer_url")}::text[]) as referrer_url,
        unnest(${column("geo_country")}::text[]) as geo_country,
        unnest(${column("geo_region")}::text[]) as geo_region,
        unnest(${column("geo_city")}::text[]) as geo_city,
        unnest(${column("device_type")}::text[]) as device_type,
        unnest(${column("device_os")}::text[]) as device_os,
        unnest(${column("browser_name")}::text[]) as browser_name,
        unnest(${column("referrer_host")}::text[]) as referrer_host,
        unnest(${column("sub_id")}::text[]) as sub_id,
        unnest(${column("created_at")}::timestamptz[]) as created_at
    ) as click
  `
}

async function forget(sql: Transaction) {
  await forgetEvents(sql, "click")
  await sql`update hourly set clicks = 0 where clicks > 0`
  await sql`update daily set clicks = 0 where clicks > 0`
  await sql`update daily_breakdown set clicks = 0 where clicks > 0`
}
