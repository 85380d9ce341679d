import type { ReplyOf, RequestOf } from "../../../lib/bus/operation"
import { Fault } from "../../../lib/fault"
import type * as contract from "../contract"
import { customerOf } from "../customers/show-customer"
import { sql } from "../db"

type Asked = RequestOf<typeof contract.showClick>
type Click = ReplyOf<typeof contract.showClick>
type Stored = Omit<Click, "customer"> & { customer_id: number | null }

/** A test click is shown as what it is. */
export async function showClick({ program_id, click_event_id }: Asked): Promise<Click> {
  const [stored] = await sql<[Stored?]>`
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
  if (!stored) throw new Fault("missing", "The program has no such click.")
  const { customer_id, ...click } = stored
  return { ...click, customer: await customerOf(customer_id) }
}
