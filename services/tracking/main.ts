import { serve } from "../../lib/bus"
import { migrate } from "../../lib/db"
import { every } from "../../lib/timer"
import { clicks_sql } from "./click-batch"
import * as contract from "./contract"
import { createLink } from "./create-link"
import { sql } from "./db"
import { secretKey } from "./email"
import { feedClicks, feedLeads, feedSales } from "./feeds"
import { findLink } from "./find-link"
import { findTestSale } from "./find-test-sale"
import { forgetPartner } from "./forget-partner"
import { listLinks } from "./list-links"
import { ensurePartitions } from "./partitions"
import { putPartner } from "./put-partner"
import { putProgram } from "./put-program"
import { recordClick } from "./record-click"
import { recordLead } from "./record-lead"
import { recordSale } from "./record-sale"
import { recordTestEvent } from "./record-test-event"
import { refundSale } from "./refund-sale"
import { showPartnerLinks } from "./show-partner-links"
import { showSale } from "./show-sale"
import { showStatus } from "./show-status"
import { sweepSales } from "./sweep-sales"
import { updateLink } from "./update-link"

const HOUR_MS = 3_600_000

/** Answers every question about links, clicks, leads and sales until stopped. */
export async function start() {
  secretKey() // a process that could not seal an e-mail address must not start
  await migrate("tracking", `${import.meta.dir}/migrations`)
  await ensurePartitions()

  await serve("tracking", contract, {
    recordClick,
    recordLead,
    recordSale,
    refundSale,
    recordTestEvent,
    findTestSale,
    showSale,
    showStatus,
    createLink,
    updateLink,
    listLinks,
    findLink,
    showPartnerLinks,
    putProgram,
    putPartner,
    forgetPartner,
    feedClicks,
    feedLeads,
    feedSales,
    async showHealth() {
      await sql`select 1`
      return {}
    },
  })
  const timers = [
    every(1_000, "The sale sweeper", sweepSales),
    every(HOUR_MS, "The maker of partitions", ensurePartitions),
  ]

  return async () => {
    await Promise.all(timers.map(stop => stop()))
    await Promise.all([sql.end(), clicks_sql.end()])
  }
}
