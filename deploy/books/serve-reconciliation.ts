import { serve } from "../../lib/bus/bus"
import * as commissions from "../../services/commissions/books/contract"
import { bookOperations as commissionsOperations } from "../../services/commissions/books/operations"
import * as delivery from "../../services/delivery/books/contract"
import { bookOperations as deliveryOperations } from "../../services/delivery/books/operations"
import * as identity from "../../services/identity/books/contract"
import { bookOperations as identityOperations } from "../../services/identity/books/operations"
import * as reporting from "../../services/reporting/books/contract"
import { bookOperations as reportingOperations } from "../../services/reporting/books/operations"
import * as tracking from "../../services/tracking/books/contract"
import { bookOperations as trackingOperations } from "../../services/tracking/books/operations"

/** Serves the operations that a reconciliation needs, in this process: no timers, no migrations. */
export async function serveReconciliation() {
  await serve("tracking", tracking, trackingOperations)
  await serve("commissions", commissions, commissionsOperations)
  await serve("reporting", reporting, reportingOperations)
  await serve("delivery", delivery, deliveryOperations)
  await serve("identity", identity, identityOperations)
}
