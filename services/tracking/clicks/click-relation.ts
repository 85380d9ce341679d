import { relation } from "../../../lib/db/relation"
import type { Visit } from "./visit"

/** A click to store. `click_id` names its customer if `existing_click_id` finds none. */
export type NewClick = Visit & { code: string; click_id: string }

/** The clicks of a batch as a relation. */
export const clickRelation = relation<NewClick>({
  code: "text",
  click_id: "text",
  existing_click_id: "text",
  affiliate_url: "text",
  page_url: "text",
  page_title: "text",
  referrer_url: "text",
  session_id: "text",
  user_agent: "text",
  screen_resolution: "text",
  viewport_size: "text",
  language: "text",
  timezone: "text",
  geo_country: "text",
  geo_region: "text",
  geo_city: "text",
  device_type: "text",
  device_os: "text",
  browser_name: "text",
  referrer_host: "text",
  sub_id: "text",
  stated_program_id: "bigint",
})
