import { readAttribution, storeAttribution } from "./attribution"
import type { Options } from "./options"
import { type Reply, send } from "./send"
import { affOf, type Visit } from "./visit"

/** Records a visit, unless the known click is of the same partner (behaviour 8.3.1). */
export async function click(options: Options, visit: Visit | null): Promise<Reply> {
  if (!visit) return { success: false, error: "The URL of this page has no aff parameter." }
  const aff = affOf(visit.affiliate_url)!
  const known = readAttribution()
  if (known?.aff === aff) return { success: true, click_id: known.click_id, partner_code: aff }

  const existing_click_id = known?.click_id.slice(0, 255)
  const reply = await send(options, "click", { ...visit, existing_click_id })
  const { success, click_id, cookie_window_days } = reply
  if (success && click_id && cookie_window_days) storeAttribution(click_id, aff, cookie_window_days)
  return reply // an inactive link leaves the known click in place
}

/** Sends a test click, which is not counted, to try out an integration. */
export const testClick = (options: Options, visit: Visit) => send(options, "click", visit, true)
