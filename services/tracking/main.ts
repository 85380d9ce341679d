import { config, secretKey } from "../../lib/config"
import { migrate } from "../../lib/db/migrate"
import { closePool, warmPool } from "../../lib/db/pool"
import { healthHandler } from "../../lib/health"
import { outgoingEventsPruner } from "../../lib/outgoing-events"
import { every } from "../../lib/timer"
import { bookOperations } from "./books/operations"
import { listCalls } from "./calls/list-calls"
import { dropOldCalls, recordCalls } from "./calls/record-calls"
import { countClicks } from "./clicks/count-clicks"
import { dropOldClicks } from "./clicks/drop-old-clicks"
import { ensurePartitions, registerPartitionMetrics } from "./clicks/partitions"
import { recordClick } from "./clicks/record-click"
import { showClick } from "./clicks/show-click"
import { clock } from "./clock"
import * as contract from "./contract"
import { openEmailKey } from "./customers/email-key"
import { eraseCustomer } from "./customers/erase-customer"
import { findCustomer } from "./customers/find-customer"
import { showCustomer } from "./customers/show-customer"
import { batches_sql, clicks_sql, feeds_sql, sql } from "./db"
import { explainSale } from "./decisions/explain-sale"
import { showJourney } from "./decisions/show-journey"
import { feedAuditEntries, feedOutgoingEvents, readFeeds } from "./feeds"
import { recordLead } from "./leads/record-lead"
import { showLead } from "./leads/show-lead"
import { createLink } from "./links/create-link"
import { createPartnerLink } from "./links/create-partner-link"
import { listLinks } from "./links/list-links"
import { nameLinks } from "./links/name-links"
import { showLink } from "./links/show-link"
import { showPartnerLinks } from "./links/show-partner-links"
import { updateLink } from "./links/update-link"
import { neighbours, showReferences } from "./neighbours"
import { showOrigins } from "./origins/show-origins"
import { listPartnerSales } from "./partner-sales/list-partner-sales"
import { showPartnerSales } from "./partner-sales/show-partner-sales"
import { forgetPartner } from "./partners/forget-partner"
import { listPartnersByClicks } from "./partners/list-partners-by-clicks"
import { listPartnersByCode } from "./partners/list-partners-by-code"
import { putPartner } from "./partners/put-partner"
import { putProgram } from "./programs/put-program"
import { startQuota } from "./quota/quota"
import { registerBacklogMetrics } from "./sales/backlog"
import { findLastSale } from "./sales/find-last-sale"
import { recordSale } from "./sales/record-sale"
import { refundSale } from "./sales/refund-sale"
import { showSale } from "./sales/show-sale"
import { sweepSales } from "./sales/sweep-sales"
import { applyTransactionScope } from "./sales/transaction-scope"
import { recordStripeEvent } from "./stripe/record-stripe-event"
import { sweepProcessorEvents } from "./stripe/sweep-processor-events"
import { findTestSale } from "./test-mode/find-test-sale"
import { listTestEvents } from "./test-mode/list-test-events"
import { recordTestEvent } from "./test-mode/record-test-event"
import { showStatus } from "./test-mode/show-status"

const COUNT_PAUSE_MS = 1_000
const SWEEP_MS = 1_000
const PARTITIONS_PAUSE_MS = 10_000
const CLOCK_PAUSE_MS = 10_000
const DROP_PAUSE_MS = 600_000
const DROP_CALLS_PAUSE_MS = 3_600_000
const PRUNE_PAUSE_MS = 60_000

/** Starts the service of referral links, clicks, leads, sales and customers. */
export async function start() {
  secretKey() // a process that could not open its keys must not start
  await migrate("tracking", `${import.meta.dir}/migrations`)
  await applyTransactionScope()
  await openEmailKey()
  await Promise.all([sql, clicks_sql, batches_sql, feeds_sql].map(warmPool))

  await neighbours.check()
  await neighbours.serve("tracking", contract, {
    showReferences,
    recordClick,
    recordLead,
    recordSale,
    refundSale,
    recordStripeEvent,
    recordTestEvent,
    findTestSale,
    listTestEvents,
    recordCalls,
    listCalls,
    showClick,
    showLead,
    showSale,
    showOrigins,
    listPartnerSales,
    showPartnerSales,
    explainSale,
    showJourney,
    findCustomer,
    showCustomer,
    eraseCustomer,
    showStatus,
    createLink,
    createPartnerLink,
    updateLink,
    listLinks,
    showLink,
    showPartnerLinks,
    nameLinks,
    putProgram,
    listPartnersByClicks,
    listPartnersByCode,
    putPartner,
    forgetPartner,
    readFeeds,
    feedAuditEntries,
    feedOutgoingEvents,
    ...bookOperations,
    findLastSale,
    showHealth: healthHandler(sql, neighbours.findReason, clock.findProblems),
  })
  registerBacklogMetrics()
  const stopQuota = await startQuota()
  registerPartitionMetrics()
  const timers = [
    neighbours.keepChecking(),
    every(COUNT_PAUSE_MS, "Counting clicks", countClicks),
    every(SWEEP_MS, "Completing sales", neighbours.whenPresent(sweepSales)),
    every(SWEEP_MS, "Applying processor events", neighbours.whenPresent(sweepProcessorEvents)),
    every(CLOCK_PAUSE_MS, "Watching the clock", clock.look),
    every(PARTITIONS_PAUSE_MS, "Creating partitions", ensurePartitions),
    every(DROP_CALLS_PAUSE_MS, "Dropping old tracking calls", dropOldCalls),
    every(PRUNE_PAUSE_MS, "Deleting old outgoing events", outgoingEventsPruner(sql)),
  ]
  const { click_retention_months: months } = config
  if (months) timers.push(every(DROP_PAUSE_MS, "Dropping old clicks", () => dropOldClicks(months)))

  return async () => {
    await Promise.all([...timers, stopQuota].map(stop => stop()))
    await Promise.all([sql, clicks_sql, batches_sql, feeds_sql].map(closePool))
  }
}
