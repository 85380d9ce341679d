import { readAttribution, storeAttribution } from "./attribution"
import type { Options } from "./options"
import { type Reply, send } from "./send"

const URL_MAX_CHARACTERS = 2_048 // the gateway truncates every URL but affiliate_url to this
const TEXT_MAX_CHARACTERS = 1_024

/** The partner's code in the page's URL; the first one if there are several. */
export const affOfPage = () => new URLSearchParams(location.search).get("aff") || null

/** Records the visit, unless the known click is of the same partner (behaviour 8.3.1). */
export async function click(options: Options): Promise<Reply> {
  const aff = affOfPage()
  const known = readAttribution()
  if (!aff) return { success: false, error: "The URL of this page has no aff parameter." }
  if (known?.aff === aff) return { success: true, click_id: known.click_id, partner_code: aff }

  const visit = { ...visitOf(aff), existing_click_id: known?.click_id.slice(0, 255) }
  const reply = await send(options, "click", visit)
  const { success, click_id, cookie_window_days } = reply
  if (success && click_id && cookie_window_days) storeAttribution(click_id, aff, cookie_window_days)
  return reply // an inactive link leaves the known click in place
}

/** Sends a test click, which is not counted, to try out an integration. */
export function testClick(options: Options) {
  return send(options, "click", visitOf(affOfPage()), true)
}

function visitOf(aff: string | null) {
  const { href, origin } = location
  return {
    affiliate_url: href.length > 8_192 && aff ? `${origin}/?aff=${encodeURIComponent(aff)}` : href,
    page_url: href.slice(0, URL_MAX_CHARACTERS),
    page_title: storable(document.title),
    referrer_url: document.referrer.slice(0, URL_MAX_CHARACTERS),
    session_id: sessionId(),
    user_agent: navigator.userAgent,
    screen_resolution: `${screen.width}x${screen.height}`,
    viewport_size: `${innerWidth}x${innerHeight}`,
    language: navigator.language,
    timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  }
}

/** Removes NUL and lone surrogates, for which the gateway would refuse the click. */
function storable(text: string) {
  return text.slice(0, TEXT_MAX_CHARACTERS).replace(/[\0\ud800-\udfff]/gu, "")
}

/** One id per tab, to tell visits apart. It is not a secret, so Math.random is enough. */
function sessionId() {
  const newId = Math.random().toString(36).slice(2) + Date.now().toString(36)
  try {
    sessionStorage.service_session_id ??= newId
    return sessionStorage.service_session_id
  } catch {
    return newId // storage is blocked
  }
}
