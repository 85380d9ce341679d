import { uptime } from "node:os"
import { Gauge } from "prom-client"
import { log } from "../log"
import { followClock, type Mark, type SteadyTime } from "../steady-time"
import type { Database, Fragment } from "./database"

const WRITE_INTERVAL_MS = 10_000
const IDLE_MS_MAX = 30 * 86_400_000 // without a mark: a longer time since the newest row is no pause
const DIFFERENCE_MS_MAX = 60_000
const HOUR_MS = 3_600_000

const stepGauge = new Gauge({
  name: "tributary_clock_step_seconds",
  help: "How far the clock of a service's database was set ahead (negative: back). 0 once the new time is trusted.",
  labelNames: ["service"],
})
const differenceGauge = new Gauge({
  name: "tributary_clock_difference_seconds",
  help: "How far the clock of a service's database is ahead of the service's own.",
  labelNames: ["service"],
})

/**
 * Watches the clock of a service's database, for decisions that cannot be taken back. Its table
 * `clock_marks` keeps how far the time has come, for the next start. `newestRow` selects the time
 * of the newest row of the service; it stands in for a mark where there is none yet.
 */
export function watchClock(sql: Database, service: string, newestRow: Fragment) {
  let follow: ReturnType<typeof followClock> | undefined
  let steady: SteadyTime | null = null
  let differenceMs = 0
  let written: Mark | null = null

  /**
   * Returns the time by which to decide: the database's, or what it would be had the clock not been
   * set ahead. Call it regularly: it also keeps the mark, the metrics and /status up to date.
   */
  async function look(): Promise<string> {
    const [{ database_ms, mark, newest_ms }] = await sql<[Seen]>`
      select
        ${msOf(sql, sql`now()`)} as database_ms,
        (
          select jsonb_build_object(
            'steady_ms', ${msOf(sql, sql`steady_at`)},
            'stepped_ms', ${msOf(sql, sql`stepped_at`)}
          )
          from clock_marks
        ) as mark,
        ${follow ? sql`null::float8` : msOf(sql, sql`(${newestRow})`)} as newest_ms
    `
    follow ??= followClock(mark ?? markOf(newest_ms, database_ms))
    const before = steady
    steady = follow({ database_ms, process_ms: Date.now(), running_ms: uptime() * 1_000 })
    differenceMs = database_ms - Date.now()
    stepGauge.set({ service }, steady.step_ms / 1_000)
    differenceGauge.set({ service }, differenceMs / 1_000)
    logChange(before?.step_ms ?? 0, steady.step_ms)
    await write(steady)
    return new Date(Math.min(database_ms, steady.steady_ms)).toISOString()
  }

  function logChange(before_ms: number, step_ms: number) {
    if (step_ms !== 0 && before_ms === 0) log.warn({ service }, stepOf(step_ms))
    if (step_ms === 0 && before_ms !== 0) {
      log.warn({ service }, "The clock of the database is trusted again.")
    }
  }

  /** Replicas share the mark: each follows the clock by itself, and they agree. */
  async function write(mark: Mark) {
    const hasChanged = mark.stepped_ms !== written?.stepped_ms
    const ageMs = mark.steady_ms - (written?.steady_ms ?? 0)
    if (!hasChanged && Math.abs(ageMs) < WRITE_INTERVAL_MS) return
    await sql`
      insert into clock_marks (steady_at, stepped_at)
      values (${isoOf(mark.steady_ms)}, ${isoOf(mark.stepped_ms)})
      on conflict (is_only) do update
      set
        steady_at = excluded.steady_at,
        stepped_at = excluded.stepped_at
    `
    written = mark
  }

  /** Sentences for /status. */
  async function findProblems(): Promise<string[]> {
    const isStepped = steady !== null && steady.step_ms !== 0
    const isDifferent = Math.abs(differenceMs) > DIFFERENCE_MS_MAX
    return [
      ...(isStepped ? [stepOf(steady!.step_ms)] : []),
      ...(isDifferent
        ? [`The clocks of the service and its database differ by ${spanOf(differenceMs)}.`]
        : []),
    ]
  }

  return { look, findProblems }
}

type Seen = { database_ms: number; mark: Mark | null; newest_ms: number | null }

const msOf = (sql: Database, time: Fragment) => sql`extract(epoch from ${time})::float8 * 1000`

const isoOf = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString())

/** A service that has been idle for days has a right clock all the same; one of months may not. */
function markOf(newest_ms: number | null, database_ms: number): Mark | null {
  if (newest_ms === null || Math.abs(database_ms - newest_ms) <= IDLE_MS_MAX) return null
  return { steady_ms: newest_ms, stepped_ms: null }
}

const stepOf = (step_ms: number) =>
  `The clock of the database was set ${step_ms > 0 ? "ahead" : "back"} by ${spanOf(step_ms)}, ` +
  "or the service was suspended for that long. Until the clock has run for as long again (at most " +
  "a week), no irreversible decision relies on it."

function spanOf(ms: number): string {
  const hours = Math.abs(ms) / HOUR_MS
  if (hours >= 48) return `${Math.round(hours / 24)} days`
  return hours >= 2 ? `${Math.round(hours)} hours` : `${Math.round(hours * 60)} minutes`
}
