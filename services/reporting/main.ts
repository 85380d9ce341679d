import { serve } from "../../lib/bus/bus"
import { migrate } from "../../lib/db/migrate"
import { closePool, warmPool } from "../../lib/db/pool"
import { healthHandler } from "../../lib/health"
import { every } from "../../lib/timer"
import { bookOperations } from "./books/operations"
import { exportBreakdown } from "./breakdown/export-breakdown"
import { showBreakdown } from "./breakdown/show-breakdown"
import { showPartnerBreakdown } from "./breakdown/show-partner-breakdown"
import { showPartnerPerformance } from "./breakdown/show-partner-performance"
import { clock } from "./clock"
import * as contract from "./contract"
import { sql, standby_sql } from "./db"
import { exportEvents } from "./events/export-events"
import { listEvents } from "./events/list-events"
import { findProblems, keepCaughtUp } from "./freshness/catch-up"
import { showPerformance } from "./performance/show-performance"
import { showSummary } from "./performance/show-summary"
import { findLeftOut, registerLeftOutMetrics } from "./retention/left-out-clicks"
import { pruneEvents } from "./retention/prune-events"

const CATCH_UP_PAUSE_MS = 500
const CLOCK_PAUSE_MS = 10_000
const HOUR_MS = 3_600_000

/**
 * Starts the read model: an up-to-date copy of the other services' data for reports. Returns a
 * function that stops it.
 */
export async function start() {
  await migrate("reporting", `${import.meta.dir}/migrations`)
  await warmPool(sql)
  await serve("reporting", contract, {
    exportBreakdown,
    exportEvents,
    listEvents,
    showBreakdown,
    showPartnerBreakdown,
    showPartnerPerformance,
    showPerformance,
    showSummary,
    ...bookOperations,
    showHealth: healthHandler(sql, undefined, clock.findProblems, findLeftOut, findProblems),
  })
  registerLeftOutMetrics()
  const stops = [
    keepCaughtUp(CATCH_UP_PAUSE_MS),
    every(CLOCK_PAUSE_MS, "Watching the clock", clock.look),
    every(HOUR_MS, "Pruning dropped clicks", pruneEvents),
  ]

  return async () => {
    await Promise.all(stops.map(stop => stop()))
    await Promise.all([sql, standby_sql].map(pool => pool && closePool(pool)))
  }
}
