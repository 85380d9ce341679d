import { serve } from "../lib/bus/bus"
import { auditBooks as auditCommissions } from "../services/commissions/audit-books"
import { listBookedCommissions } from "../services/commissions/commissions/list-booked-commissions"
import * as commissions from "../services/commissions/contract"
import { totalFeeds as totalCommissions } from "../services/commissions/total-feeds"
import { auditBooks as auditReporting } from "../services/reporting/audit-books"
import * as reporting from "../services/reporting/contract"
import { totalFeeds as totalReporting } from "../services/reporting/total-feeds"
import { auditBooks as auditTracking } from "../services/tracking/audit-books"
import * as tracking from "../services/tracking/contract"
import { listBookedSales } from "../services/tracking/sales/list-booked-sales"
import { totalFeeds as totalTracking } from "../services/tracking/total-feeds"

/** Answers in this process what an audit asks, and nothing else: no timers, no migrations. */
export async function answerForAll() {
  await serve("tracking", pick(tracking, ["auditBooks", "totalFeeds", "listBookedSales"]), {
    auditBooks: auditTracking,
    totalFeeds: totalTracking,
    listBookedSales,
  })
  const booked = ["auditBooks", "totalFeeds", "listBookedCommissions"] as const
  await serve("commissions", pick(commissions, booked), {
    auditBooks: auditCommissions,
    totalFeeds: totalCommissions,
    listBookedCommissions,
  })
  await serve("reporting", pick(reporting, ["auditBooks", "totalFeeds"]), {
    auditBooks: auditReporting,
    totalFeeds: totalReporting,
  })
}

/** The part of a contract that is answered here. */
function pick<Module extends object, const Name extends keyof Module>(
  contract: Module,
  names: readonly Name[],
): Pick<Module, Name> {
  return Object.fromEntries(names.map(name => [name, contract[name]])) as Pick<Module, Name>
}
