import { inBatches } from "../../lib/batch"
import { raced } from "../../lib/db"
import type { NewClick } from "./asked-clicks"
import { insertClicks } from "./insert-clicks"

const BATCH_MAX_CLICKS = 500

/**
 * Stores a click in one transaction with those that came while the last one was under way. Resolves
 * after the commit.
 */
export const storeClick = inBatches(
  "clicks",
  (clicks: NewClick[]) => raced(() => insertClicks(clicks)),
  BATCH_MAX_CLICKS,
)
