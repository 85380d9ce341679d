type Headers = Record<string, string | number | string[]>

const TRACKING = /^\/api\/(v1\/track|tracking)\/(click|lead|sale|refund)$/

/** Pages of any site may call the tracking endpoints, without credentials (behaviour 1.13). */
export const FOR_ALL_ORIGINS = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": "X-Request-Id, Retry-After",
}

/** Answers a CORS preflight request of the tracking endpoints. */
export function preflight(
  method: string,
  path: string,
  set: { status?: number | string; headers: Headers },
) {
  if (method !== "OPTIONS" || !isTracking(path)) return
  set.status = 204
  set.headers["access-control-allow-methods"] = "POST, OPTIONS"
  set.headers["access-control-allow-headers"] = "Content-Type, Authorization"
  set.headers["access-control-max-age"] = "86400"
  return ""
}

export const isTracking = (path: string): boolean => TRACKING.test(path)
