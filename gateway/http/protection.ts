import { config } from "../../lib/config"
import { FOR_ALL_ORIGINS, isTracking } from "./cors"

const PROTECTION = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cache-control": "no-store",
  ...(config.public_url?.startsWith("https:") && {
    "strict-transport-security": "max-age=31536000",
  }),
}
const OPEN = { ...PROTECTION, ...FOR_ALL_ORIGINS }
const CLOSED = { ...PROTECTION, "cross-origin-resource-policy": "same-origin" }

/**
 * Tells browsers to make nothing of a reply but what it is, to keep it nowhere, and to show it
 * to no other site, but for the tracking endpoints. A route that answers more than JSON says what
 * else may be.
 */
export function protect(headers: Record<string, string | number | string[]>, path = "") {
  Object.assign(headers, isTracking(path) ? OPEN : CLOSED)
}
