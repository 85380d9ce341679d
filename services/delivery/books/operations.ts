import { entryLister } from "../../../lib/record-change"
import { sql } from "../db"

/** The operations of `npm run audit`, which runs them in its own process if the system does not run. */
export const bookOperations = { listEntries: entryLister(sql, "delivery") }
