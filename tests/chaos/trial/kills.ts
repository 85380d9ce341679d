import { PART_NAMES, type Part } from "../../../deploy/part"
import type { Fault } from "./fault"
import type { System } from "./system"
import {
  clickWriter,
  isAlive,
  momentOf,
  natsAccepts,
  pidsOf,
  postgresAccepts,
  signal,
} from "./victims"

const HOLD_MS = 4_000
const SERVICE_RECOVERY_S_MAX = 3
const SERVER_RECOVERY_S_MAX = 2 // after it accepts again

const usual = { stage: "machine", hold_ms: HOLD_MS } as const
const killed = { ...usual, recovery_s_max: SERVICE_RECOVERY_S_MAX }
const server = { ...usual, recovery_s_max: SERVER_RECOVERY_S_MAX, unharmed: [] }

/** kill -9. Of a part both replicas die at once, as they would with their host. */
export const kills: Fault[] = [
  ...PART_NAMES.map(
    (part): Fault => ({
      ...killed,
      name: `kill -9 of ${part}`,
      ...harmOf(part),
      strike: async system => killAll(pidsOf(system, part)),
    }),
  ),
  {
    ...killed,
    name: "kill -9 of redis",
    needs: "redis-server",
    unharmed: ["click", "lead", "sale", "refund"],
    strike: async system => killAll(pidsOf(system, "redis")),
  },
  {
    ...server,
    name: "kill -9 of nats",
    strike: system => killServer(system, pidsOf(system, "nats"), natsAccepts),
  },
  {
    ...server,
    name: "kill -9 of a postgres backend",
    strike: async system => killServer(system, [await clickWriter(system)], postgresAccepts),
  },
  {
    ...server,
    name: "kill -9 of the postmaster",
    strike: system => killServer(system, pidsOf(system, "postgres"), postgresAccepts),
  },
]

/** Where the other replica goes on. */
export const killsOfOne = (["gateway", "tracking"] as const).map(
  (part): Fault => ({
    ...killed,
    name: `kill -9 of one ${part} of two`,
    ...harmOf(part),
    strike: async system => killAll(pidsOf(system, part).slice(0, 1)),
  }),
)

/** A click needs the gateway and tracking only; whose gateway dies is not answered. */
export function harmOf(part: Part): Pick<Fault, "unharmed" | "breaks_connections"> {
  if (part === "gateway") return { unharmed: [], breaks_connections: true }
  return { unharmed: part === "tracking" ? [] : ["click"] }
}

function killAll(pids: number[]) {
  const struck_at = Date.now()
  for (const pid of pids) signal(pid, "SIGKILL")
  return async () => struck_at
}

async function killServer(
  system: System,
  pids: number[],
  accepts: (system: System) => Promise<boolean>,
) {
  killAll(pids)
  await momentOf(() => !pids.some(isAlive))
  await Bun.sleep(50) // the postmaster hears of a backend's death
  const accepting = momentOf(() => accepts(system))
  return () => accepting
}
