import type { RequestOf } from "../../lib/contract"
import { readFeed } from "../../lib/feed"
import type * as contract from "./contract"
import type { ClickRow, LeadRow, SaleRow } from "./contract"
import { sql } from "./db"

type Asked = RequestOf<typeof contract.feedClicks>
type Read<Row> = Promise<Awaited<ReturnType<typeof readFeed>> & { rows: Row[] }>

const attribution = sql`program_id, customer_id, click_id, partner_id, link_id`

export const feedClicks = (asked: Asked) =>
  readFeed(
    sql,
    {
      columns: sql`
        id, ${attribution}, session_id, page_url, referrer_url, geo_country, geo_region, geo_city,
        device_type, device_os, browser_name, click_timestamp, created_at
      `,
      table: "affiliate_click_events",
    },
    asked,
  ) as Read<ClickRow>

export const feedLeads = (asked: Asked) =>
  readFeed(
    sql,
    {
      columns: sql`
        id, ${attribution}, customer_key, session_id, page_url, lead_timestamp, created_at
      `,
      table: "affiliate_lead_events",
    },
    asked,
  ) as Read<LeadRow>

export const feedSales = (asked: Asked) =>
  readFeed(
    sql,
    {
      columns: sql`
        id, ${attribution}, transaction_id, amount_cents, currency, sale_type, payment_status,
        is_recurring, converts, sale_date, created_at
      `,
      table: "affiliate_sale_events",
    },
    asked,
  ) as Read<SaleRow>
