import { serve } from "../lib/bus/bus"
import { listBookedCommissions } from "../services/commissions/commissions/list-booked-commissions"
import * as commissions from "../services/commissions/contract"
import { reconcile as reconcileCommissions } from "../services/commissions/reconcile"
import { totalFeeds as totalCommissions } from "../services/commissions/total-feeds"
import * as reporting from "../services/reporting/contract"
import { reconcile as reconcileReporting } from "../services/reporting/reconcile"
import { totalFeeds as totalReporting } from "../services/reporting/total-feeds"
import * as tracking from "../services/tracking/contract"
import { reconcile as reconcileTracking } from "../services/tracking/reconcile"
import { listBookedSales } from "../services/tracking/sales/list-booked-sales"
import { totalFeeds as totalTracking } from "../services/tracking/total-feeds"

/** Serves the operations that a reconciliation needs, in this process: no timers, no migrations. */
export async function serveReconciliation() {
  await serve("tracking", pick(tracking, ["reconcile", "totalFeeds", "listBookedSales"]), {
    reconcile: reconcileTracking,
    totalFeeds: totalTracking,
    listBookedSales,
  })
  const booked = ["reconcile", "totalFeeds", "listBookedCommissions"] as const
  await serve("commissions", pick(commissions, booked), {
    reconcile: reconcileCommissions,
    totalFeeds: totalCommissions,
    listBookedCommissions,
  })
  await serve("reporting", pick(reporting, ["reconcile", "totalFeeds"]), {
    reconcile: reconcileReporting,
    totalFeeds: totalReporting,
  })
}

/** Returns the operations of a contract that are served here. */
function pick<Module extends object, const Name extends keyof Module>(
  contract: Module,
  names: readonly Name[],
): Pick<Module, Name> {
  return Object.fromEntries(names.map(name => [name, contract[name]])) as Pick<Module, Name>
}
