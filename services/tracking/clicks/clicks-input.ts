import { columnsOf } from "../../../lib/db/columns"
import { clicks_sql as sql } from "../db"
import type { Visit } from "./visit"

/** `click_id` names the customer, unless an existing one is named by `existing_click_id`. */
export type NewClick = Visit & { code: string; click_id: string }

/**
 * The clicks of a batch as a relation, each with its position in it. As a function in FROM,
 * `unnest()` would store each array in a relation of its own first, and then join them.
 */
export function clicksInput(clicks: NewClick[]) {
  const column = columnsOf(clicks)

  return sql`
    asked as (
      select
        unnest(${column("code")}::text[]) as code,
        unnest(${column("click_id")}::text[]) as click_id,
        unnest(${column("existing_click_id")}::text[]) as existing_click_id,
        unnest(${column("affiliate_url")}::text[]) as affiliate_url,
        unnest(${column("page_url")}::text[]) as page_url,
        unnest(${column("page_title")}::text[]) as page_title,
        unnest(${column("referrer_url")}::text[]) as referrer_url,
        unnest(${column("session_id")}::text[]) as session_id,
        unnest(${column("user_agent")}::text[]) as user_agent,
        unnest(${column("screen_resolution")}::text[]) as screen_resolution,
        unnest(${column("viewport_size")}::text[]) as viewport_size,
        unnest(${column("language")}::text[]) as language,
        unnest(${column("timezone")}::text[]) as timezone,
        unnest(${column("geo_country")}::text[]) as geo_country,
        unnest(${column("geo_region")}::text[]) as geo_region,
        unnest(${column("geo_city")}::text[]) as geo_city,
        unnest(${column("device_type")}::text[]) as device_type,
        unnest(${column("device_os")}::text[]) as device_os,
        unnest(${column("browser_name")}::text[]) as browser_name,
        unnest(${column("referrer_host")}::text[]) as referrer_host,
        unnest(${column("sub_id")}::text[]) as sub_id,
        unnest(${column("stated_program_id")}::bigint[]) as stated_program_id,
        unnest(${[...clicks.keys()]}::integer[]) as position
    )
  `
}
