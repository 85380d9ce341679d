import { inBatches } from "../../../lib/batch"
import { retryOnConflict } from "../../../lib/db/pool"
import type { NewClick } from "./clicks-input"
import { insertClicks } from "./insert-clicks"

const BATCH_MAX_CLICKS = 500
const APART_MS = 16 // of a thousand clicks a second, batches of sixteen

/**
 * Stores a click in one transaction with those that came while the last one was under way, or
 * gathered after it. Resolves after the commit.
 */
export const storeClick = inBatches(
  "clicks",
  (clicks: NewClick[]) => retryOnConflict(() => insertClicks(clicks)),
  { size_max: BATCH_MAX_CLICKS, apart_ms: APART_MS },
)
