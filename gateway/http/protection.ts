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
 * Sets the security headers: no sniffing, no caching, no embedding, and no reading by other sites
 * except for the tracking endpoints. Routes that return more than JSON override them.
 */
export function protect(headers: Record<string, string | number | string[]>, path = "") {
  Object.assign(headers, isTracking(path) ? OPEN : CLOSED)
}
