import { PART_NAMES } from "../../../deploy/part"
import type { Fault } from "./fault"
import { harmOf } from "./kills"
import { clickWriter, familyOf, isAlive, momentOf, pidsOf, signal } from "./victims"

const HOLD_MS = 15_000
const REPLACED_RECOVERY_S_MAX = 3 // after the supervisor has ended the frozen one
const THAWED_RECOVERY_S_MAX = 2

const usual = { stage: "machine", hold_ms: HOLD_MS } as const
const thawing = { ...usual, recovery_s_max: THAWED_RECOVERY_S_MAX, unharmed: [] }

/** SIGSTOP for 15 s: what is frozen keeps its connections, and says nothing. */
export const freezes: Fault[] = [
  ...PART_NAMES.map(
    (part): Fault => ({
      ...usual,
      name: `SIGSTOP of ${part}`,
      recovery_s_max: REPLACED_RECOVERY_S_MAX,
      ...harmOf(part),
      async strike(system) {
        const pids = freeze(pidsOf(system, part))
        const replaced = momentOf(() => !pids.some(isAlive))
        return () => replaced
      },
    }),
  ),
  {
    ...thawing,
    name: "SIGSTOP of redis",
    needs: "redis-server",
    unharmed: ["click", "lead", "sale", "refund"],
    strike: async system => untilThawed(pidsOf(system, "redis")),
  },
  {
    ...thawing,
    name: "SIGSTOP of nats",
    strike: async system => untilThawed(pidsOf(system, "nats")),
  },
  {
    ...thawing,
    name: "SIGSTOP of a postgres backend",
    strike: async system => untilThawed([await clickWriter(system)]),
  },
  {
    ...thawing,
    name: "SIGSTOP of the postmaster",
    strike: async system => untilThawed(pidsOf(system, "postgres")),
  },
  {
    ...thawing,
    name: "SIGSTOP of all of postgres",
    strike: async system => untilThawed(pidsOf(system, "postgres").flatMap(familyOf)),
  },
]

function freeze(pids: number[]): number[] {
  for (const pid of pids) signal(pid, "SIGSTOP")
  return pids
}

function untilThawed(pids: number[]) {
  freeze(pids)
  return async () => {
    for (const pid of pids) signal(pid, "SIGCONT")
    return Date.now()
  }
}
