import { serve } from "../../lib/bus"
import { migrate } from "../../lib/db"
import { keepCaughtUp } from "./catch-up"
import * as contract from "./contract"
import { sql } from "./db"
import { listEvents } from "./list-events"
import { showPerformance } from "./show-performance"
import { showSummary } from "./show-summary"

export async function start() {
  await migrate("reporting", `${import.meta.dir}/migrations`)
  await serve("reporting", contract, { listEvents, showPerformance, showSummary, showHealth })
  const stopCatchingUp = keepCaughtUp()

  return async () => {
    await stopCatchingUp()
    await sql.end()
  }
}

async function showHealth() {
  await sql`select 1`
  return {}
}
