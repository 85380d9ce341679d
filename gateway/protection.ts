import { config } from "../lib/config"

const PROTECTION = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cross-origin-resource-policy": "same-origin",
  "cache-control": "no-store",
  ...(config.public_url?.startsWith("https:") && {
    "strict-transport-security": "max-age=31536000",
  }),
}

/**
 * Tells browsers to make nothing of a reply but what it is, to keep it nowhere, and to show it
 * to no other site. A route that answers more than JSON says what else may be.
 */
export function protect(headers: Record<string, string | number | string[]>) {
  Object.assign(headers, PROTECTION)
}
