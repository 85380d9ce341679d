import { Counter } from "prom-client"
import { config } from "../../../lib/config"
import type { Database, Transaction } from "../../../lib/db/database"
import { Fault } from "../../../lib/fault"
import { gauge } from "../../../lib/metrics"
import { every } from "../../../lib/timer"
import { sql } from "../db"
import { liftQuota, measureEvents } from "./measure-events"

const MEASURE_PAUSE_MS = 10_000

const refused = new Counter({
  name: "tributary_quota_refused_total",
  help: "Events refused because their workspace has used up its quota of stored events.",
})

/** Starts measuring what workspaces store, if there is a quota. Returns a function that stops it. */
export async function startQuota(): Promise<() => Promise<void>> {
  const { events_per_workspace_max: max } = config
  registerMetrics(max)
  if (max === null) {
    await liftQuota()
    return async () => {}
  }
  return every(MEASURE_PAUSE_MS, "Measuring stored events", () => measureEvents(max))
}

/** Whether the workspace of a program has used up its quota, as it was last measured. */
export async function isOverQuota(
  sql: Database | Transaction,
  program_id: number,
): Promise<boolean> {
  if (config.events_per_workspace_max === null) return false
  const [program] = await sql<[{ is_over_quota: boolean }?]>`
    select is_over_quota
    from programs
    where program_id = ${program_id}
  `
  return program?.is_over_quota ?? false
}

/** The refusal of an event that would be stored beyond the quota. */
export function quotaReached(): Fault {
  refused.inc()
  return new Fault("limited", "This workspace has reached its quota of stored events.")
}

/** Without a quota, none of it is used. */
function registerMetrics(max: number | null) {
  gauge(
    "tributary_quota_used_ratio",
    "The highest share of its quota of stored events that any workspace has used.",
    async () => {
      if (max === null) return 0
      const [{ events }] = await sql<[{ events: number }]>`
        select coalesce(max(events), 0) as events
        from workspace_events
      `
      return events / max
    },
  )
  gauge(
    "tributary_workspaces_over_quota",
    "Workspaces that have used up their quota of stored events.",
    async () => {
      if (max === null) return 0
      const [{ workspaces }] = await sql<[{ workspaces: number }]>`
        select count(*) as workspaces
        from workspace_events
        where events >= ${max}
      `
      return workspaces
    },
  )
}
