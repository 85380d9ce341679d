import { columnsOf } from "../../lib/columns"
import { clicks_sql as sql } from "./db"
import type { Visit } from "./visit"

/** `click_id` names the customer, unless an existing one is named by `existing_click_id`. */
export type NewClick = Visit & { code: string; click_id: string }

/** The clicks of a batch as a relation, each with its position in it. */
export function asked(clicks: NewClick[]) {
  const column = columnsOf(clicks)

  return sql`
    asked (
      code, click_id, existing_click_id, affiliate_url, page_url, page_title, referrer_url,
      session_id, user_agent, screen_resolution, viewport_size, language, timezone,
      geo_country, geo_region, geo_city, device_type, device_os, browser_name,
      referrer_host, sub_id, stated_program_id, position
    ) as materialized (
      select *
      from unnest(
        ${column("code")}::text[],
        ${column("click_id")}::text[],
        ${column("existing_click_id")}::text[],
        ${column("affiliate_url")}::text[],
        ${column("page_url")}::text[],
        ${column("page_title")}::text[],
        ${column("referrer_url")}::text[],
        ${column("session_id")}::text[],
        ${column("user_agent")}::text[],
        ${column("screen_resolution")}::text[],
        ${column("viewport_size")}::text[],
        ${column("language")}::text[],
        ${column("timezone")}::text[],
        ${column("geo_country")}::text[],
        ${column("geo_region")}::text[],
        ${column("geo_city")}::text[],
        ${column("device_type")}::text[],
        ${column("device_os")}::text[],
        ${column("browser_name")}::text[],
        ${column("referrer_host")}::text[],
        ${column("sub_id")}::text[],
        ${column("stated_program_id")}::bigint[]
      ) with ordinality
    )
  `
}
