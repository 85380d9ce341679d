import { serve } from "../../lib/bus"
import { letGo, warm } from "../../lib/db"
import { answersHealth } from "../../lib/health"
import { migrate } from "../../lib/migrate"
import { every } from "../../lib/timer"
import { approveCommission } from "./approve-commission"
import { approveDue } from "./approve-due"
import { auditBooks } from "./audit-books"
import * as contract from "./contract"
import { createCommission } from "./create-commission"
import { createGroup } from "./create-group"
import { createPartner } from "./create-partner"
import { feeds_sql, sales_sql, sql } from "./db"
import { feedAuditEntries, readFeeds } from "./feeds"
import { findWarning } from "./find-warning"
import { listBookedCommissions } from "./list-booked-commissions"
import { listCommissions } from "./list-commissions"
import { listGroups } from "./list-groups"
import { listNotifications } from "./list-notifications"
import { listPartners } from "./list-partners"
import { markAllNotificationsRead } from "./mark-all-notifications-read"
import { markCommissionPaid } from "./mark-commission-paid"
import { markNotificationRead } from "./mark-notification-read"
import { namePartners } from "./name-partners"
import { putPartnerAccount } from "./put-partner-account"
import { putProgram } from "./put-program"
import { rejectCommission } from "./reject-commission"
import { reverseCommission } from "./reverse-commission"
import { showCommission } from "./show-commission"
import { showGroup } from "./show-group"
import { showNotification } from "./show-notification"
import { showPartner } from "./show-partner"
import { sweepPartners } from "./sweep-partners"
import { totalFeeds } from "./total-feeds"
import { updateGroup } from "./update-group"
import { updatePartner } from "./update-partner"

const SWEEP_MS = 1_000

/** Who earns what: partners, groups and their policies, commissions and the books. */
export async function start() {
  await migrate("commissions", `${import.meta.dir}/migrations`)
  await Promise.all([sql, sales_sql, feeds_sql].map(warm))
  await serve("commissions", contract, {
    approveCommission,
    auditBooks,
    createCommission,
    createGroup,
    createPartner,
    readFeeds,
    feedAuditEntries,
    listBookedCommissions,
    listCommissions,
    listGroups,
    listNotifications,
    listPartners,
    markCommissionPaid,
    markNotificationRead,
    markAllNotificationsRead,
    namePartners,
    putPartnerAccount,
    putProgram,
    rejectCommission,
    reverseCommission,
    showCommission,
    showGroup,
    showHealth: answersHealth(sql),
    findWarning,
    showNotification,
    showPartner,
    totalFeeds,
    updateGroup,
    updatePartner,
  })
  const timers = [
    every(SWEEP_MS, "Approving commissions", approveDue),
    every(SWEEP_MS, "Completing partners", sweepPartners),
  ]

  return async () => {
    await Promise.all(timers.map(stop => stop()))
    await Promise.all([sql, sales_sql, feeds_sql].map(letGo))
  }
}
