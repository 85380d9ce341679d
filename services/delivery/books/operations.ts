import { entryLister } from "../../../lib/record-change"
import { sql } from "../db"
import { checkEvents } from "./check-events"
import { reconcile } from "./reconcile"

/** The operations of `npm run audit`, which runs them in its own process if the system does not run. */
export const bookOperations = {
  reconcile,
  listEntries: entryLister(sql, "delivery"),
  checkEvents,
}
