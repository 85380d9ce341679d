import { serve } from "../../lib/bus"
import { letGo, warm } from "../../lib/db"
import { answersHealth } from "../../lib/health"
import { migrate } from "../../lib/migrate"
import { every } from "../../lib/timer"
import { auditBooks } from "./audit-books"
import { keepCaughtUp } from "./catch-up"
import * as contract from "./contract"
import { sql, standby_sql } from "./db"
import { exportBreakdown } from "./export-breakdown"
import { exportEvents } from "./export-events"
import { listEvents } from "./list-events"
import { pruneEvents } from "./prune-events"
import { showBreakdown } from "./show-breakdown"
import { showPerformance } from "./show-performance"
import { showSummary } from "./show-summary"
import { totalFeeds } from "./total-feeds"

const CATCH_UP_PAUSE_MS = 500
const HOUR_MS = 3_600_000

/** What happened, for reading: a copy of what the owners tell, kept up to date. */
export async function start() {
  await migrate("reporting", `${import.meta.dir}/migrations`)
  await warm(sql)
  await serve("reporting", contract, {
    exportBreakdown,
    exportEvents,
    listEvents,
    showBreakdown,
    showPerformance,
    showSummary,
    auditBooks,
    totalFeeds,
    showHealth: answersHealth(sql),
  })
  const stops = [
    keepCaughtUp(CATCH_UP_PAUSE_MS),
    every(HOUR_MS, "Giving back the room of dropped clicks", pruneEvents),
  ]

  return async () => {
    await Promise.all(stops.map(stop => stop()))
    await Promise.all([sql, standby_sql].map(pool => pool && letGo(pool)))
  }
}
