import type { Advertiser } from "./advertiser"
import { type Discrepancies, findDiscrepancies } from "./discrepancies"
import type { Fault } from "./fault"
import type { Attempt, Journal } from "./journal"
import { KINDS } from "./journal"
import { watchMemory } from "./memory"
import { isFailed, type Outcome, outcomeOf } from "./outcome"
import type { System } from "./system"
import type { Traffic } from "./traffic"

const QUIET_MS = 1_500 // without a failure: the system has recovered
const TIMEOUT_MS = 60_000

/** A system with its traffic. `known`: the discrepancies of earlier faults. */
export type Scene = {
  system: System
  advertiser: Advertiser
  journal: Journal
  traffic: Traffic
  known: Discrepancies
}
export type Pace = { warmUpMs: number; holdMsMax: number }

/** Injects a fault under traffic, waits for the recovery, then compares replies and tables. */
export async function tryFault(fault: Fault, scene: Scene, pace: Pace): Promise<Outcome> {
  const { system, journal, traffic } = scene
  const first = journal.attempts.length
  traffic.resume()
  await Bun.sleep(pace.warmUpMs)
  const growthMib = watchMemory(system)

  const injectedAt = Date.now()
  const lift = await fault.inject(system)
  await Bun.sleep(Math.min(fault.holdMs, pace.holdMsMax))
  const liftedAt = await lift()
  const endedAt = Date.now()
  const attempts = () => journal.attempts.slice(first)
  const hasRecovered = await waitForRecovery(attempts)

  const { pending } = await traffic.drain(TIMEOUT_MS)
  const discrepancies = onlyNew(scene, await findDiscrepancies(system.sql, journal.requests))
  const audit = await system.audit()
  return outcomeOf(fault, {
    attempts: attempts(),
    requests: journal.requests,
    injectedAt,
    endedAt,
    liftedAt,
    hasRecovered,
    pending,
    discrepancies,
    audit,
    growthMib: growthMib(),
  })
}

/** Waits until requests of every kind have succeeded for a while. False: it timed out. */
async function waitForRecovery(attempts: () => Attempt[]): Promise<boolean> {
  const deadline = Date.now() + TIMEOUT_MS
  do {
    await Bun.sleep(QUIET_MS / 3)
    const quietSince = Date.now() - QUIET_MS
    const recent = attempts().filter(({ sent_at, took_ms }) => sent_at + took_ms > quietSince)
    const isComplete = KINDS.every(kind => recent.some(({ request }) => request.kind === kind))
    if (isComplete && !recent.some(isFailed)) return true
  } while (Date.now() < deadline)
  return false
}

/** Leaves out the discrepancies that earlier faults have caused. */
function onlyNew({ known }: Scene, found: Discrepancies): Discrepancies {
  const lost = found.lost.filter(what => !known.lost.includes(what))
  const duplicated = found.duplicated.filter(what => !known.duplicated.includes(what))
  known.lost.push(...lost)
  known.duplicated.push(...duplicated)
  return { lost, duplicated }
}
