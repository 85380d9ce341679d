import { ask, type Reply } from "./ask"
import { attribute, attribution } from "./attribution"
import type { Options } from "./options"

const URL_MAX_CHARACTERS = 2_048 // the gateway cuts there, except the one URL that carries the aff
const TEXT_MAX_CHARACTERS = 1_024

/** The partner's code in the page's URL (the first, should there be several). */
export const affOfPage = () => new URLSearchParams(location.search).get("aff") || null

/** Records the visit, unless its partner is the one that is known already (specification 4.2). */
export async function click(options: Options): Promise<Reply> {
  const aff = affOfPage()
  const known = attribution()
  if (!aff) return { success: false, error: "The URL of this page has no aff parameter." }
  if (known?.aff === aff) return { success: true, click_id: known.click_id, partner_code: aff }

  const visit = { ...visitOf(aff), existing_click_id: known?.click_id.slice(0, 255) }
  const reply = await ask(options, "click", visit)
  const { success, click_id, cookie_window_days } = reply
  if (success && click_id && cookie_window_days) attribute(click_id, aff, cookie_window_days)
  return reply // an inactive link changes nothing: what was known stays
}

/** A click that counts nowhere, for trying out an integration. */
export function testClick(options: Options) {
  return ask(options, "click", visitOf(affOfPage()), true)
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

/** A title with NUL or half a surrogate pair in it would make the gateway refuse the click. */
function storable(text: string) {
  return text.slice(0, TEXT_MAX_CHARACTERS).replace(/[\0\ud800-\udfff]/gu, "")
}

/** One name per tab, for telling visits apart; not a secret, so Math.random will do. */
function sessionId() {
  const fresh = Math.random().toString(36).slice(2) + Date.now().toString(36)
  try {
    sessionStorage.service_session_id ??= fresh
    return sessionStorage.service_session_id
  } catch {
    return fresh // storage is blocked
  }
}
