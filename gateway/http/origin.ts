import { config } from "../../lib/config"
import { Fault } from "../../lib/fault"

const PUBLIC = config.public_url ? new URL(config.public_url) : null

/** Whether a page of ours sent this. Browsers tell; one that is too old to tell is not believed. */
export function isSameOrigin({ headers, url }: Request): boolean {
  const site = headers.get("sec-fetch-site")
  if (site) return site === "same-origin"

  const origin = URL.parse(headers.get("origin") ?? "")
  if (!origin) return false
  if (origin.host === PUBLIC?.host) return origin.protocol === PUBLIC.protocol
  return origin.host === new URL(url).host
}

/**
 * Refuses another site's page that would sign a browser in, to an account of its own choice.
 * What is no browser says nothing of where it comes from, and may.
 */
export function refuseOtherSites(request: Request) {
  const { headers } = request
  const isBrowser = headers.has("sec-fetch-site") || headers.has("origin")
  if (isBrowser && !isSameOrigin(request)) {
    throw new Fault("forbidden", "Another site may not sign you in.")
  }
}
