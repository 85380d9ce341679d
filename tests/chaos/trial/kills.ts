import { PART_NAMES, type Part } from "../../../deploy/part"
import type { Fault } from "./fault"
import { KINDS } from "./journal"
import type { System } from "./system"
import {
  clickBackend,
  isAlive,
  natsAccepts,
  pidsOf,
  postgresAccepts,
  signal,
  waitUntil,
} from "./victims"

const HOLD_MS = 4_000
const SERVICE_RECOVERY_MAX_SECONDS = 3
const SERVER_RECOVERY_MAX_SECONDS = 2 // after it accepts connections again

const common = { stage: "machine", holdMs: HOLD_MS } as const
const killed = { ...common, recoveryMaxSeconds: SERVICE_RECOVERY_MAX_SECONDS }
const server = { ...common, recoveryMaxSeconds: SERVER_RECOVERY_MAX_SECONDS, unaffected: [] }

/** kill -9. Both replicas of a part are killed at once, as if their host had died. */
export const kills: Fault[] = [
  ...PART_NAMES.map(
    (part): Fault => ({
      ...killed,
      name: `kill -9 of ${part}`,
      ...effectOf(part),
      async inject(system) {
        if (part === "delivery") await waitUntil(() => system.receivers!.isBusy())
        return killAll(pidsOf(system, part))
      },
    }),
  ),
  {
    ...killed,
    name: "kill -9 of redis",
    requiredProgram: "redis-server",
    unaffected: ["click", "lead", "sale", "refund"],
    inject: async system => killAll(pidsOf(system, "redis")),
  },
  {
    ...server,
    name: "kill -9 of nats",
    inject: system => killServer(system, pidsOf(system, "nats"), natsAccepts),
  },
  {
    ...server,
    name: "kill -9 of a postgres backend",
    inject: async system => killServer(system, [await clickBackend(system)], postgresAccepts),
  },
  {
    ...server,
    name: "kill -9 of the postmaster",
    inject: system => killServer(system, pidsOf(system, "postgres"), postgresAccepts),
  },
]

/** kill -9 of one replica, while the other keeps working. */
export const killsOfOne = (["gateway", "tracking", "delivery"] as const).map(
  (part): Fault => ({
    ...killed,
    name: `kill -9 of one ${part} of two`,
    ...effectOf(part),
    inject: async system => killAll(pidsOf(system, part).slice(0, 1)),
  }),
)

/**
 * A click needs only the gateway and tracking, and nothing here needs delivery. A killed gateway breaks
 * its connections.
 */
export function effectOf(part: Part): Pick<Fault, "unaffected" | "breaksConnections"> {
  if (part === "gateway") return { unaffected: [], breaksConnections: true }
  if (part === "delivery") return { unaffected: KINDS }
  return { unaffected: part === "tracking" ? [] : ["click"] }
}

function killAll(pids: number[]) {
  const killedAt = Date.now()
  for (const pid of pids) signal(pid, "SIGKILL")
  return async () => killedAt
}

async function killServer(
  system: System,
  pids: number[],
  accepts: (system: System) => Promise<boolean>,
) {
  killAll(pids)
  await waitUntil(() => !pids.some(isAlive))
  await Bun.sleep(50) // until the postmaster notices that a backend has died
  const accepting = waitUntil(() => accepts(system))
  return () => accepting
}
