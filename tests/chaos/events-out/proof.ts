import { readEventLog, writtenEventIds } from "../../support/event-log"
import type { Scene } from "../trial/trial"
import { compareDeliveries, compareLog, compareRequests, findCuts } from "./invariants"
import { settle } from "./settle"
import { findUnwritten, storedDeliveries } from "./stored"

export type EventsOutcome = Awaited<ReturnType<typeof proveEventsOut>>

/**
 * Proves of all events of a stage what behaviour 12.7 promises: W1, W2, W3 and W8. `is_short`: it does
 * not wait until the leases of killed replicas end by themselves.
 */
export async function proveEventsOut(scene: Scene, is_short: boolean) {
  const { system, advertiser } = scene
  const left = await settle(scene, is_short)
  const unwritten = await findUnwritten(scene)
  const written = await writtenEventIds(system.sql, advertiser.program_id)
  const log = await readEventLog(
    path => read(`${system.url}${path}`, advertiser.session),
    advertiser.program_id,
  )
  const stored = await storedDeliveries(scene)
  const received = system.receivers!.received()
  const cuts = findCuts(received, system.receivers!.killings)
  const count = (status: string) => stored.filter(one => one.status === status).length

  return {
    stage: system.stage,
    events: log.length,
    delivered: count("delivered"),
    failed: count("failed"),
    requests: Object.values(received).flat().length,
    cut: cuts.length,
    retried_s_max: Math.max(0, ...cuts.map(({ retried_s }) => retried_s)),
    shortfalls: [
      ...left,
      ...unwritten,
      ...compareLog(log, written),
      ...compareDeliveries(stored, received),
      ...compareRequests(received, log, cuts),
    ],
  }
}

async function read(url: string, session: string) {
  const reply = await fetch(url, { headers: { authorization: `Bearer ${session}` } })
  if (reply.ok) return reply.json()
  throw new Error(`GET ${url} answered ${reply.status}: ${await reply.text()}`)
}
