import { outgoingEventLister } from "../../../lib/outgoing-events"
import { sql } from "../db"
import { checkEntries } from "./check-entries"
import { listOwnedBindings } from "./list-owned-bindings"
import { listOwnedPrograms } from "./list-owned-programs"
import { reconcile } from "./reconcile"

/** The operations of `npm run audit`, which runs them in its own process if the system does not run. */
export const bookOperations = {
  reconcile,
  listOwnedPrograms,
  listOwnedBindings,
  listOutgoingEvents: outgoingEventLister(sql, "identity"),
  checkEntries,
}
