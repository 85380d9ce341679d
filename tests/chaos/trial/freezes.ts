import { PART_NAMES } from "../../../deploy/part"
import type { Fault } from "./fault"
import { KINDS } from "./journal"
import { effectOf } from "./kills"
import { clickBackend, isAlive, pidsOf, signal, waitUntil, withChildren } from "./victims"

const HOLD_MS = 15_000
const THAWED_MS = 2_000
const REPLACED_RECOVERY_MAX_SECONDS = 3 // after the supervisor has killed the frozen process
const THAWED_RECOVERY_MAX_SECONDS = 2

const common = { stage: "machine", holdMs: HOLD_MS } as const
const thawing = { ...common, recoveryMaxSeconds: THAWED_RECOVERY_MAX_SECONDS, unaffected: [] }

/** SIGSTOP for 15 s. A frozen process keeps its connections but does not reply. */
export const freezes: Fault[] = [
  ...PART_NAMES.map(
    (part): Fault => ({
      ...common,
      name: `SIGSTOP of ${part}`,
      recoveryMaxSeconds: REPLACED_RECOVERY_MAX_SECONDS,
      ...effectOf(part),
      async inject(system) {
        const pids = freeze(pidsOf(system, part))
        const replaced = waitUntil(() => !pids.some(isAlive))
        return () => replaced
      },
    }),
  ),
  {
    ...thawing,
    name: "SIGSTOP of one delivery of two for 2 s",
    holdMs: THAWED_MS, // its supervisor kills it after three
    unaffected: KINDS,
    inject: async system => freezeUntilLifted(pidsOf(system, "delivery").slice(0, 1)),
  },
  {
    ...thawing,
    name: "SIGSTOP of redis",
    requiredProgram: "redis-server",
    unaffected: ["click", "lead", "sale", "refund"],
    inject: async system => freezeUntilLifted(pidsOf(system, "redis")),
  },
  {
    ...thawing,
    name: "SIGSTOP of nats",
    inject: async system => freezeUntilLifted(pidsOf(system, "nats")),
  },
  {
    ...thawing,
    name: "SIGSTOP of a postgres backend",
    inject: async system => freezeUntilLifted([await clickBackend(system)]),
  },
  {
    ...thawing,
    name: "SIGSTOP of the postmaster",
    inject: async system => freezeUntilLifted(pidsOf(system, "postgres")),
  },
  {
    ...thawing,
    name: "SIGSTOP of all of postgres",
    inject: async system => freezeUntilLifted(pidsOf(system, "postgres").flatMap(withChildren)),
  },
]

function freeze(pids: number[]): number[] {
  for (const pid of pids) signal(pid, "SIGSTOP")
  return pids
}

/** Freezes the processes until the fault is lifted. */
function freezeUntilLifted(pids: number[]) {
  freeze(pids)
  return async () => {
    for (const pid of pids) signal(pid, "SIGCONT")
    return Date.now()
  }
}
