import type { RequestOf } from "../../lib/contract"
import { readFeed } from "../../lib/feed"
import { readEntries } from "../../lib/record-change"
import type * as contract from "./contract"
import type { ClickRow, DroppedClicksRow, ErasureRow, LeadRow, SaleRow } from "./contract"
import { feeds_sql as sql } from "./db"

type Asked = RequestOf<typeof contract.feedClicks>

const attribution = sql`program_id, customer_id, click_id, partner_id, link_id`
const origin = sql`geo_country, device_type, browser_name, referrer_host, sub_id`

export function feedClicks(asked: Asked) {
  const columns = sql`
    id, ${attribution}, ${origin}, session_id, page_url, referrer_url, geo_region, geo_city,
    device_os, click_timestamp, created_at
  `
  return readFeed<ClickRow>(sql, { columns, table: "affiliate_click_events" }, asked)
}

export function feedLeads(asked: Asked) {
  const columns = sql`
    id, ${attribution}, ${origin}, customer_key, session_id, page_url, lead_timestamp, created_at
  `
  return readFeed<LeadRow>(sql, { columns, table: "affiliate_lead_events" }, asked)
}

export function feedSales(asked: Asked) {
  const columns = sql`
    id, ${attribution}, ${origin}, transaction_id, amount_cents, currency, sale_type,
    payment_status, is_recurring, converts, sale_date, created_at
  `
  return readFeed<SaleRow>(sql, { columns, table: "affiliate_sale_events" }, asked)
}

export function feedErasures(asked: Asked) {
  const columns = sql`id, customer_id, scope`
  return readFeed<ErasureRow>(sql, { columns, table: "erasures" }, asked)
}

export function feedDroppedClicks(asked: Asked) {
  const columns = sql`id, program_id, dimension, value, starts_at, clicks, ids::text as ids`
  return readFeed<DroppedClicksRow>(sql, { columns, table: "dropped_clicks" }, asked)
}

export const feedAuditEntries = (asked: Asked) => readEntries(sql, asked)
