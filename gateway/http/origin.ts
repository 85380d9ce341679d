import { config } from "../../lib/config"
import { Fault } from "../../lib/fault"

const PUBLIC = config.public_url ? new URL(config.public_url) : null

/** Whether a page of this origin sent the request. A browser that sends neither header is refused. */
export function isSameOrigin({ headers, url }: Request): boolean {
  const site = headers.get("sec-fetch-site")
  if (site) return site === "same-origin"

  const origin = URL.parse(headers.get("origin") ?? "")
  if (!origin) return false
  if (origin.host === PUBLIC?.host) return origin.protocol === PUBLIC.protocol
  return origin.host === new URL(url).host
}

/**
 * Refuses a page of another site that would sign a browser in to an account of its choice. Clients
 * other than browsers send neither header and pass.
 */
export function refuseOtherSites(request: Request) {
  const { headers } = request
  const isBrowser = headers.has("sec-fetch-site") || headers.has("origin")
  if (isBrowser && !isSameOrigin(request)) {
    throw new Fault("forbidden", "Another site may not sign you in.")
  }
}
