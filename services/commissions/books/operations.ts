import { outgoingEventLister } from "../../../lib/outgoing-events"
import { entryLister } from "../../../lib/record-change"
import { sql } from "../db"
import { checkBindings } from "./check-bindings"
import { checkPrograms } from "./check-programs"
import { checkSales } from "./check-sales"
import { digestFeed } from "./digest-feed"
import { listOwnedPartners } from "./list-owned-partners"
import { reconcile } from "./reconcile"

/** The operations of `npm run audit`, which runs them in its own process if the system does not run. */
export const bookOperations = {
  reconcile,
  digestFeed,
  listOwnedPartners,
  listEntries: entryLister(sql, "commissions"),
  listOutgoingEvents: outgoingEventLister(sql, "commissions"),
  checkSales,
  checkPrograms,
  checkBindings,
}
