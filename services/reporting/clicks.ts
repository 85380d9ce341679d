import { columnsOf } from "../../lib/columns"
import type { Transaction } from "../../lib/db"
import type { Feed } from "../../lib/source"
import type { ClickRow } from "../tracking/contract"
import { addUpClicks } from "./click-counts"
import { KEPT_FROM } from "./dropped-clicks"
import { withoutErased } from "./erasures"
import { forgetEvents, makeRoom } from "./events"

export const clicks: Feed<ClickRow> = { name: "clicks", apply, forget }

async function apply(sql: Transaction, told: ClickRow[]) {
  const [known, from] = await Promise.all([
    withoutErased(sql, told),
    keptFrom(sql),
    makeRoom(
      sql,
      told.map(row => row.click_timestamp),
    ),
  ])
  // the totals of what retention has dropped have the others
  const rows = from ? known.filter(row => row.click_timestamp >= from) : known
  await Promise.all([store(sql, rows), addUpClicks(sql, rows)])
}

/** From when on clicks are kept. Null: all of them. */
async function keptFrom(sql: Transaction): Promise<string | null> {
  const [{ time }] = await sql<[{ time: string | null }]>`
    select nullif(${KEPT_FROM}, '-infinity') as time
  `
  return time
}

/** As arrays: PostgreSQL takes more than twice as long to take rows out of JSON. */
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
    from unnest(
      ${column("program_id")}::bigint[],
      ${column("click_timestamp")}::timestamptz[],
      ${column("id")}::bigint[],
      ${column("customer_id")}::bigint[],
      ${column("partner_id")}::bigint[],
      ${column("link_id")}::bigint[],
      ${column("click_id")}::text[],
      ${column("session_id")}::text[],
      ${column("page_url")}::text[],
      ${column("referrer_url")}::text[],
      ${column("geo_country")}::text[],
      ${column("geo_region")}::text[],
      ${column("geo_city")}::text[],
      ${column("device_type")}::text[],
      ${column("device_os")}::text[],
      ${column("browser_name")}::text[],
      ${column("referrer_host")}::text[],
      ${column("sub_id")}::text[],
      ${column("created_at")}::timestamptz[]
    ) as click (
      program_id, timestamp, id, customer_id, partner_id, link_id, click_id,
      session_id, page_url, referrer_url, geo_country, geo_region, geo_city,
      device_type, device_os, browser_name, referrer_host, sub_id, created_at
    )
  `
}

async function forget(sql: Transaction) {
  await forgetEvents(sql, "click")
  await sql`update hourly set clicks = 0 where clicks > 0`
  await sql`update daily set clicks = 0 where clicks > 0`
  await sql`update daily_breakdown set clicks = 0 where clicks > 0`
}
