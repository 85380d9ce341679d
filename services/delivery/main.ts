import { serve } from "../../lib/bus/bus"
import { secretKey } from "../../lib/config"
import { migrate } from "../../lib/db/migrate"
import { closePool, warmPool } from "../../lib/db/pool"
import { healthHandler } from "../../lib/health"
import { every } from "../../lib/timer"
import { bookOperations } from "./books/operations"
import { clock } from "./clock"
import * as contract from "./contract"
import { feeds_sql, sql } from "./db"
import { feedAuditEntries } from "./feeds"

const CLOCK_PAUSE_MS = 10_000

/** Starts the service that tells others outside what has happened. It alone connects to the Internet. */
export async function start() {
  secretKey() // a process that could not open its secrets must not start
  await migrate("delivery", `${import.meta.dir}/migrations`)
  await Promise.all([sql, feeds_sql].map(warmPool))
  await serve("delivery", contract, {
    feedAuditEntries,
    ...bookOperations,
    showHealth: healthHandler(sql, undefined, clock.findProblems),
  })
  const timers = [every(CLOCK_PAUSE_MS, "Watching the clock", clock.look)]

  return async () => {
    await Promise.all(timers.map(stop => stop()))
    await Promise.all([sql, feeds_sql].map(closePool))
  }
}
