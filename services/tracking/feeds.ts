import type { ReplyOf, RequestOf } from "../../lib/bus/operation"
import { readFeedRows } from "../../lib/feeds/read-feed-rows"
import { readOutgoingEvents } from "../../lib/outgoing-events"
import { readEntries } from "../../lib/record-change"
import type * as contract from "./contract"
import { feeds_sql as sql } from "./db"

const attribution = sql`program_id, customer_id, click_id, partner_id, link_id`
const origin = sql`geo_country, device_type, browser_name, referrer_host, sub_id`

/** Clicks come last, because they may exceed the room of a message. */
const FEEDS = {
  leads: {
    table: "affiliate_lead_events",
    columns: sql`
      id, ${attribution}, ${origin}, customer_key, session_id, page_url, lead_timestamp, created_at
    `,
  },
  sales: {
    table: "affiliate_sale_events",
    columns: sql`
      id, ${attribution}, ${origin}, transaction_id, amount_cents, currency, sale_type,
      payment_status, is_recurring, converts, last_click_event_id, sale_date, created_at
    `,
  },
  erasures: {
    table: "erasures",
    columns: sql`id, customer_id, scope`,
  },
  dropped_clicks: {
    table: "dropped_clicks",
    columns: sql`id, program_id, dimension, value, starts_at, clicks, ids::text as ids`,
  },
  clicks: {
    table: "affiliate_click_events",
    columns: sql`
      id, ${attribution}, ${origin}, session_id, page_url, referrer_url, geo_region, geo_city,
      device_os, click_timestamp, created_at
    `,
  },
}

export const readFeeds = (request: RequestOf<typeof contract.readFeeds>) =>
  readFeedRows<ReplyOf<typeof contract.readFeeds>>(sql, FEEDS, request)

export const feedAuditEntries = (request: RequestOf<typeof contract.feedAuditEntries>) =>
  readEntries(sql, request)

export const feedOutgoingEvents = (request: RequestOf<typeof contract.feedOutgoingEvents>) =>
  readOutgoingEvents(sql, request)
