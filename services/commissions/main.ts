import { migrate } from "../../lib/db/migrate"
import { closePool, warmPool } from "../../lib/db/pool"
import { healthHandler } from "../../lib/health"
import { outgoingEventsPruner } from "../../lib/outgoing-events"
import { every } from "../../lib/timer"
import { bookOperations } from "./books/operations"
import { clock } from "./clock"
import { approveCommission } from "./commissions/approve-commission"
import { approveDue } from "./commissions/approve-due"
import { createCommission } from "./commissions/create-commission"
import { listCommissions } from "./commissions/list-commissions"
import { markCommissionPaid } from "./commissions/mark-commission-paid"
import { rejectCommission } from "./commissions/reject-commission"
import { reverseCommission } from "./commissions/reverse-commission"
import { showCommission } from "./commissions/show-commission"
import * as contract from "./contract"
import { feeds_sql, sales_sql, sql } from "./db"
import { explainCommission } from "./decisions/explain-commission"
import { explainCommissions } from "./decisions/explain-commissions"
import { feedAuditEntries, feedOutgoingEvents, readFeeds } from "./feeds"
import { createGroup } from "./groups/create-group"
import { listGroups } from "./groups/list-groups"
import { listPolicies } from "./groups/list-policies"
import { showDefaultPolicy } from "./groups/show-default-policy"
import { showGroup } from "./groups/show-group"
import { updateGroup } from "./groups/update-group"
import { listJoinedPrograms } from "./joined-programs/list-joined-programs"
import { showJoinedProgram } from "./joined-programs/show-joined-program"
import { showProgramOfPartner } from "./joined-programs/show-program-of-partner"
import { listLedger } from "./ledger/list-ledger"
import { showBalances } from "./ledger/show-balances"
import { neighbours, showReferences } from "./neighbours"
import { findWarning } from "./notifications/find-warning"
import { listNotifications } from "./notifications/list-notifications"
import { markAllNotificationsRead } from "./notifications/mark-all-notifications-read"
import { markNotificationRead } from "./notifications/mark-notification-read"
import { notifyOfEndpoint } from "./notifications/notify-of-endpoint"
import { showNotification } from "./notifications/show-notification"
import { bulkUpdatePartners } from "./partners/bulk-update-partners"
import { createPartner } from "./partners/create-partner"
import { findPartnerAccounts } from "./partners/find-partner-accounts"
import { listPartners } from "./partners/list-partners"
import { namePartners } from "./partners/name-partners"
import { putPartnerAccount } from "./partners/put-partner-account"
import { showPartner } from "./partners/show-partner"
import { sweepPartners } from "./partners/sweep-partners"
import { updatePartner } from "./partners/update-partner"
import { putProgram } from "./programs/put-program"
import { countAttention } from "./review/count-attention"
import { settleCommissions } from "./review/settle-commissions"
import { sumCommissions } from "./review/sum-commissions"
import { listSettledSales } from "./settlements/list-settled-sales"
import { showSettlements } from "./settlements/show-settlements"

const SWEEP_MS = 1_000
const PRUNE_PAUSE_MS = 60_000

/** Starts the service of partners, groups and their policies, commissions and the ledger. */
export async function start() {
  await migrate("commissions", `${import.meta.dir}/migrations`)
  await Promise.all([sql, sales_sql, feeds_sql].map(warmPool))
  await neighbours.check()
  await neighbours.serve("commissions", contract, {
    showReferences,
    approveCommission,
    ...bookOperations,
    bulkUpdatePartners,
    countAttention,
    createCommission,
    createGroup,
    createPartner,
    explainCommission,
    explainCommissions,
    readFeeds,
    feedAuditEntries,
    feedOutgoingEvents,
    listCommissions,
    listGroups,
    listJoinedPrograms,
    listLedger,
    listNotifications,
    listPartners,
    listPolicies,
    listSettledSales,
    markCommissionPaid,
    markNotificationRead,
    markAllNotificationsRead,
    notifyOfEndpoint,
    namePartners,
    putPartnerAccount,
    putProgram,
    rejectCommission,
    reverseCommission,
    settleCommissions,
    sumCommissions,
    showBalances,
    showCommission,
    showDefaultPolicy,
    showGroup,
    showHealth: healthHandler(sql, neighbours.findReason, clock.findProblems),
    findWarning,
    showJoinedProgram,
    showNotification,
    showPartner,
    findPartnerAccounts,
    showProgramOfPartner,
    showSettlements,
    updateGroup,
    updatePartner,
  })
  const timers = [
    every(SWEEP_MS, "Approving commissions", approveDue),
    neighbours.keepChecking(),
    every(SWEEP_MS, "Completing partners", neighbours.whenPresent(sweepPartners)),
    every(PRUNE_PAUSE_MS, "Deleting old outgoing events", outgoingEventsPruner(sql)),
  ]

  return async () => {
    await Promise.all(timers.map(stop => stop()))
    await Promise.all([sql, sales_sql, feeds_sql].map(closePool))
  }
}
