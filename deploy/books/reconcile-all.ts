import { call } from "../../lib/bus/bus"
import { type Finding, mergeFindings } from "../../lib/reconcile"
import * as commissions from "../../services/commissions/contract"
import * as delivery from "../../services/delivery/contract"
import * as identity from "../../services/identity/contract"
import * as reporting from "../../services/reporting/contract"
import * as tracking from "../../services/tracking/contract"
import { compareFeeds } from "./compare-feeds"
import { compareOwnedRows, TIMEOUT_MS } from "./compare-owned-rows"

/** Reconciles the books of each service with themselves, and each copy with its owner. */
export async function reconcileAll(): Promise<Finding[]> {
  return [
    ...(await call(tracking.reconcile, {}, TIMEOUT_MS)),
    ...(await call(commissions.reconcile, {}, TIMEOUT_MS)),
    ...(await compareSales()),
    ...(await call(identity.reconcile, {}, TIMEOUT_MS)),
    ...(await call(delivery.reconcile, {}, TIMEOUT_MS)),
    ...(await compareCopies()),
    ...(await call(reporting.reconcile, {}, TIMEOUT_MS)),
    ...(await compareFeeds()),
  ]
}

/**
 * Recomputes the commissions of all sales. Both are read one after the other, so a request in
 * progress can look like a violation.
 */
export const compareSales = () => compareOwnedRows(tracking.listBookedSales, commissions.checkSales)

/** Compares copies that one service has of another's rows. */
const compareCopies = async () =>
  mergeFindings([
    ...(await compareOwnedRows(identity.listOwnedPrograms, tracking.checkPrograms)),
    ...(await compareOwnedRows(identity.listOwnedPrograms, commissions.checkPrograms)),
    ...(await compareOwnedRows(commissions.listOwnedPartners, tracking.checkPartners)),
    ...(await compareOwnedRows(identity.listOwnedBindings, commissions.checkBindings)),
    ...(await compareOwnedRows(tracking.listEntries, identity.checkEntries)),
    ...(await compareOwnedRows(commissions.listEntries, identity.checkEntries)),
    ...(await compareOwnedRows(delivery.listEntries, identity.checkEntries)),
    ...(await compareOwnedRows(identity.listOutgoingEvents, delivery.checkEvents)),
    ...(await compareOwnedRows(tracking.listOutgoingEvents, delivery.checkEvents)),
    ...(await compareOwnedRows(commissions.listOutgoingEvents, delivery.checkEvents)),
  ])
