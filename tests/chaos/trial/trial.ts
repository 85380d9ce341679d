import type { Fault } from "./fault"
import type { Attempt, Journal } from "./journal"
import { KINDS } from "./journal"
import { watchMemory } from "./memory"
import { isFailed, type Outcome, outcomeOf } from "./outcome"
import type { System } from "./system"
import type { Traffic } from "./traffic"
import { judge, type Verdict } from "./verdict"

const QUIET_MS = 1_500 // no failure for so long: it has recovered
const PATIENCE_MS = 60_000

/** A system with its traffic, and what was found to be wrong with it so far. */
export type Scene = { system: System; journal: Journal; traffic: Traffic; known: Verdict }
export type Pace = { calm_ms: number; hold_ms_max: number }

/** Lets a fault happen under traffic, waits until the system has recovered, then counts. */
export async function tryFault(fault: Fault, scene: Scene, pace: Pace): Promise<Outcome> {
  const { system, journal, traffic } = scene
  const first = journal.attempts.length
  traffic.flow()
  await Bun.sleep(pace.calm_ms)
  const growth_mib = watchMemory(system)

  const struck_at = Date.now()
  const lift = await fault.strike(system)
  await Bun.sleep(Math.min(fault.hold_ms, pace.hold_ms_max))
  const lifted_at = await lift()
  const ended_at = Date.now()
  const trial = () => journal.attempts.slice(first)
  const has_recovered = await recovers(trial)

  const { left_open } = await traffic.rest(PATIENCE_MS)
  const verdict = news(scene, await judge(system.sql, journal.wishes))
  const audit = await system.audit()
  return outcomeOf(fault, {
    attempts: trial(),
    wishes: journal.wishes,
    struck_at,
    ended_at,
    lifted_at,
    has_recovered,
    left_open,
    verdict,
    audit,
    growth_mib: growth_mib(),
  })
}

/** Waits until every kind has been answered well for a while. False: that did not come. */
async function recovers(attempts: () => Attempt[]): Promise<boolean> {
  const deadline = Date.now() + PATIENCE_MS
  do {
    await Bun.sleep(QUIET_MS / 3)
    const quiet_since = Date.now() - QUIET_MS
    const lately = attempts().filter(({ sent_at, took_ms }) => sent_at + took_ms > quiet_since)
    const is_complete = KINDS.every(kind => lately.some(({ wish }) => wish.kind === kind))
    if (is_complete && !lately.some(isFailed)) return true
  } while (Date.now() < deadline)
  return false
}

/** What is wrong now and was not before: it is this fault's. */
function news({ known }: Scene, found: Verdict): Verdict {
  const lost = found.lost.filter(what => !known.lost.includes(what))
  const duplicated = found.duplicated.filter(what => !known.duplicated.includes(what))
  known.lost.push(...lost)
  known.duplicated.push(...duplicated)
  return { lost, duplicated }
}
