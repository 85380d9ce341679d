import type { Transaction } from "../../../lib/db/database"
import { relation } from "../../../lib/db/relation"
import type { Feed } from "../../../lib/feeds/source"
import type { ClickRow } from "../../tracking/contract"
import { KEPT_FROM } from "../retention/dropped-clicks"
import { leaveOut } from "../retention/left-out-clicks"
import { addClickCounts } from "../rollups/click-counts"
import { anonymizeErased } from "./erasures"
import { createPartitions, deleteEvents } from "./event-rows"

/** Stores clicks as events, and counts them. */
export const clicks: Feed<ClickRow> = { name: "clicks", prepare, apply, forget }

/** `isLate`: its month was dropped before it was read. */
type PreparedClick = ClickRow & { isLate?: boolean }

async function prepare(sql: Transaction, received: ClickRow[]): Promise<PreparedClick[]> {
  const times = received.map(row => row.click_timestamp)
  const [anonymized, from] = await Promise.all([
    anonymizeErased(sql, received),
    keptFrom(sql),
    createPartitions(sql, times),
  ])
  return from ? anonymized.map(row => ({ ...row, isLate: row.click_timestamp < from })) : anonymized
}

/** Stores and counts clicks. Late ones are in the totals of what retention dropped, or will be. */
async function apply(sql: Transaction, received: PreparedClick[]) {
  const rows = received.filter(({ isLate }) => !isLate)
  const late = received.filter(({ isLate }) => isLate)
  await Promise.all([
    store(sql, rows),
    addClickCounts(sql, rows),
    ...(late.length > 0 ? [leaveOut(sql, late)] : []),
  ])
}

/** Returns the time from which clicks are kept. Null: all are kept. */
async function keptFrom(sql: Transaction): Promise<string | null> {
  const [{ time }] = await sql<[{ time: string | null }]>`
    select nullif(${KEPT_FROM}, '-infinity') as time
  `
  return time
}

const clickRelation = relation<ClickRow>({
  program_id: "bigint",
  click_timestamp: "timestamptz",
  id: "bigint",
  customer_id: "bigint",
  partner_id: "bigint",
  link_id: "bigint",
  click_id: "text",
  session_id: "text",
  page_url: "text",
  referrer_url: "text",
  geo_country: "text",
  geo_region: "text",
  geo_city: "text",
  device_type: "text",
  device_os: "text",
  browser_name: "text",
  referrer_host: "text",
  sub_id: "text",
  created_at: "timestamptz",
})

/** Stores clicks as events. PostgreSQL would take twice as long to read them from JSON. */
async function store(sql: Transaction, rows: ClickRow[]) {
  await sql`
    insert into events (
      event_type, program_id, timestamp, id, customer_id, partner_id, link_id, click_id,
      session_id, page_url, referrer_url, geo_country, geo_region, geo_city,
      device_type, device_os, browser_name, referrer_host, sub_id, created_at
    )
    select
      'click', program_id, click_timestamp, id, customer_id, partner_id, link_id, click_id,
      session_id, page_url, referrer_url, geo_country, geo_region, geo_city,
      device_type, device_os, browser_name, referrer_host, sub_id, created_at
    from ${clickRelation(sql, rows)} as click
  `
}

async function forget(sql: Transaction) {
  await deleteEvents(sql, "click")
  await sql`update hourly set clicks = 0 where clicks > 0`
  await sql`update daily set clicks = 0 where clicks > 0`
  await sql`update daily_breakdown set clicks = 0 where clicks > 0`
}
