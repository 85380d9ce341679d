import { config } from "../../lib/config"
import { Fault } from "../../lib/fault"

const PUBLIC = config.public_url ? new URL(config.public_url) : null

/** Whether a page of this origin sent the request. Without either header the answer is no. */
export function isSameOrigin({ headers, url }: Request): boolean {
  const site = headers.get("sec-fetch-site")
  if (site) return site === "same-origin"

  const origin = URL.parse(headers.get("origin") ?? "")
  if (!origin) return false
  if (origin.host === PUBLIC?.host) return origin.protocol === PUBLIC.protocol
  return origin.host === new URL(url).host
}

/**
 * Keeps pages of other sites from signing a browser in to an account of their choice. Throws
 * "forbidden". Clients other than browsers send neither header and pass.
 */
export function refuseOtherSites(request: Request) {
  const { headers } = request
  const isBrowser = headers.has("sec-fetch-site") || headers.has("origin")
  if (isBrowser && !isSameOrigin(request)) {
    throw new Fault("forbidden", "Pages of other sites cannot sign you in.")
  }
}
