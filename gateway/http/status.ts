import type { FaultKind } from "../../lib/fault"

/** The status of a reply that refuses. */
export const STATUS: Record<FaultKind, number> = {
  invalid: 400,
  unauthorized: 401,
  forbidden: 403,
  missing: 404,
  not_allowed: 405,
  conflict: 409,
  duplicate: 409,
  too_large: 413,
  unsupported: 415,
  limited: 429,
  failed: 500,
  unavailable: 503,
}
