import type { ReplyOf, RequestOf } from "../../../lib/bus/operation"
import { Fault } from "../../../lib/fault"
import type * as contract from "../contract"
import { customerOf } from "../customers/show-customer"
import { sql } from "../db"

type Request = RequestOf<typeof contract.showClick>
type Click = ReplyOf<typeof contract.showClick>
type ClickRecord = Omit<Click, "customer"> & { customer_id: number | null }

/** Returns a click of the program, test clicks included. Throws "missing". */
export async function showClick({ program_id, click_event_id }: Request): Promise<Click> {
  const [record] = await sql<[ClickRecord?]>`
    select
      id, program_id, stated_program_id, click_id, customer_id, partner_id, link_id,
      window_days as cookie_window_days, affiliate_url, page_url, page_title, referrer_url,
      session_id, existing_click_id, user_agent, screen_resolution, viewport_size, language,
      timezone, geo_country, geo_region, geo_city, device_type, device_os, browser_name, sub_id,
      is_test, click_timestamp, created_at
    from affiliate_click_events
    where id = ${click_event_id}
      and program_id = ${program_id}
  `
  if (!record) throw new Fault("missing", "Click not found in this program.")
  const { customer_id, ...click } = record
  return { ...click, customer: await customerOf(customer_id) }
}
