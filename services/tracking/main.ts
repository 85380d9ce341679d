import { serve } from "../../lib/bus"
import { config, secretKey } from "../../lib/config"
import { letGo, warm } from "../../lib/db"
import { answersHealth } from "../../lib/health"
import { migrate } from "../../lib/migrate"
import { every } from "../../lib/timer"
import { auditBooks } from "./audit-books"
import { tellBacklog } from "./backlog"
import * as contract from "./contract"
import { countClicks } from "./count-clicks"
import { createLink } from "./create-link"
import { batches_sql, clicks_sql, feeds_sql, sql } from "./db"
import { dropOldClicks } from "./drop-old-clicks"
import { eraseCustomer } from "./erase-customer"
import { feedAuditEntries, readFeeds } from "./feeds"
import { findCustomer } from "./find-customer"
import { findTestSale } from "./find-test-sale"
import { forgetPartner } from "./forget-partner"
import { listBookedSales } from "./list-booked-sales"
import { listLinks } from "./list-links"
import { nameLinks } from "./name-links"
import { ensurePartitions } from "./partitions"
import { putPartner } from "./put-partner"
import { putProgram } from "./put-program"
import { recordClick } from "./record-click"
import { recordLead } from "./record-lead"
import { recordSale } from "./record-sale"
import { recordStripeEvent } from "./record-stripe-event"
import { recordTestEvent } from "./record-test-event"
import { refundSale } from "./refund-sale"
import { showClick } from "./show-click"
import { showCustomer } from "./show-customer"
import { showLead } from "./show-lead"
import { showLink } from "./show-link"
import { showPartnerLinks } from "./show-partner-links"
import { showSale } from "./show-sale"
import { showStatus } from "./show-status"
import { sweepProcessorEvents } from "./sweep-processor-events"
import { sweepSales } from "./sweep-sales"
import { totalFeeds } from "./total-feeds"
import { updateLink } from "./update-link"

const COUNT_PAUSE_MS = 1_000
const SWEEP_MS = 1_000
const HOUR_MS = 3_600_000
const DROP_PAUSE_MS = 600_000

/** Answers every question about links, clicks, leads and sales until stopped. */
export async function start() {
  secretKey() // a process that could not hide an e-mail address must not start
  await migrate("tracking", `${import.meta.dir}/migrations`)
  await ensurePartitions()
  await Promise.all([sql, clicks_sql, batches_sql, feeds_sql].map(warm))

  await serve("tracking", contract, {
    recordClick,
    recordLead,
    recordSale,
    refundSale,
    recordStripeEvent,
    recordTestEvent,
    findTestSale,
    showClick,
    showLead,
    showSale,
    findCustomer,
    showCustomer,
    eraseCustomer,
    showStatus,
    createLink,
    updateLink,
    listLinks,
    showLink,
    showPartnerLinks,
    nameLinks,
    putProgram,
    putPartner,
    forgetPartner,
    readFeeds,
    feedAuditEntries,
    auditBooks,
    totalFeeds,
    listBookedSales,
    showHealth: answersHealth(sql),
  })
  tellBacklog()
  const timers = [
    every(COUNT_PAUSE_MS, "Counting clicks", countClicks),
    every(SWEEP_MS, "Completing sales", sweepSales),
    every(SWEEP_MS, "Applying processor events", sweepProcessorEvents),
    every(HOUR_MS, "Making partitions", ensurePartitions),
  ]
  const { click_retention_months: months } = config
  if (months) timers.push(every(DROP_PAUSE_MS, "Dropping old clicks", () => dropOldClicks(months)))

  return async () => {
    await Promise.all(timers.map(stop => stop()))
    await Promise.all([sql, clicks_sql, batches_sql, feeds_sql].map(letGo))
  }
}
