import { inBatches } from "../../../lib/batch"
import { retryOnConflict } from "../../../lib/db/pool"
import type { NewClick } from "./click-relation"
import { insertClicks } from "./insert-clicks"

const BATCH_MAX_CLICKS = 500
const SPACING_MS = 16 // at a thousand clicks a second, batches of 16

/** Stores a click in one transaction with others that wait. Resolves after the commit. */
export const storeClick = inBatches(
  "clicks",
  (clicks: NewClick[]) => retryOnConflict(() => insertClicks(clicks)),
  { sizeMax: BATCH_MAX_CLICKS, spacingMs: SPACING_MS },
)
