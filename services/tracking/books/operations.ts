import { outgoingEventLister } from "../../../lib/outgoing-events"
import { entryLister } from "../../../lib/record-change"
import { sql } from "../db"
import { checkPartners } from "./check-partners"
import { checkPrograms } from "./check-programs"
import { digestFeed } from "./digest-feed"
import { listBookedSales } from "./list-booked-sales"
import { reconcile } from "./reconcile"

/** The operations of `npm run audit`, which runs them in its own process if the system does not run. */
export const bookOperations = {
  reconcile,
  digestFeed,
  listBookedSales,
  listEntries: entryLister(sql, "tracking"),
  listOutgoingEvents: outgoingEventLister(sql, "tracking"),
  checkPrograms,
  checkPartners,
}
