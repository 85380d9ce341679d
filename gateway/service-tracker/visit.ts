const URL_MAX_CHARACTERS = 2_048 // the gateway truncates every URL but affiliate_url to this
const TEXT_MAX_CHARACTERS = 1_024

export type Visit = NonNullable<ReturnType<typeof visitOf>>

/** The partner's code in a URL; the first one if there are several. */
export function affOf(url: string): string | null {
  try {
    return new URL(url).searchParams.get("aff") || null
  } catch {
    return null
  }
}

/** What a click says about the visit of an address. Null: it carries no partner's code. */
export function visitOf(url: string) {
  const aff = affOf(url)
  return aff
    ? {
        affiliate_url:
          url.length > 8_192 ? `${location.origin}/?aff=${encodeURIComponent(aff)}` : url,
        page_url: url.slice(0, URL_MAX_CHARACTERS),
        page_title: storable(document.title),
        referrer_url: document.referrer.slice(0, URL_MAX_CHARACTERS),
        session_id: sessionId(),
        user_agent: navigator.userAgent,
        screen_resolution: `${screen.width}x${screen.height}`,
        viewport_size: `${innerWidth}x${innerHeight}`,
        language: navigator.language,
        timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      }
    : null
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
