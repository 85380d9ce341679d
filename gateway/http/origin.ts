import { config } from "../../lib/config"
import { Fault } from "../../lib/fault"

const PUBLIC = config.public_url ? new URL(config.public_url) : null

/** Whether Sec-Fetch-Site, or else Origin, says that a page of this origin sent the request. */
export function isSameOrigin({ headers, url }: Request): boolean {
  const site = headers.get("sec-fetch-site")
  if (site) return site === "same-origin"

  const origin = URL.parse(headers.get("origin") ?? "")
  if (!origin) return false
  if (origin.host === PUBLIC?.host) return origin.protocol === PUBLIC.protocol
  return origin.host === new URL(url).host
}

/**
 * Prevents login CSRF: a page of another site must not sign a visitor in to an account that it chose.
 * Throws "forbidden". Clients other than browsers send neither header and pass.
 */
export function refuseOtherSites(request: Request) {
  const { headers } = request
  const isBrowser = headers.has("sec-fetch-site") || headers.has("origin")
  if (isBrowser && !isSameOrigin(request)) {
    throw new Fault("forbidden", "Requests from other sites cannot sign you in.")
  }
}
