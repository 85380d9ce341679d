import { PART_NAMES } from "../../../deploy/part"
import { SEEN_AFTER_MS, setClock } from "./fake-clock"
import type { Fault } from "./fault"
import type { System } from "./system"
import { isAlive, pidsOf, signal, waitUntil } from "./victims"

const HOLD_MS = 4_000
const RECOVERY_MAX_SECONDS = 5 // after a restart of everything

const STEPS = ["+10s", "-10s", "-3h", "+20h", "+75d", "+300d"]

/** The clock of PostgreSQL is set to a wrong time, and every part restarts under it. */
export const steps: Fault[] = STEPS.map(offset => ({
  name: `clock set ${offset.startsWith("+") ? "ahead" : "back"} by ${offset.slice(1)}`,
  stage: "clock",
  holdMs: HOLD_MS,
  recoveryMaxSeconds: RECOVERY_MAX_SECONDS,
  unaffected: [],
  breaksConnections: true,
  async inject(system) {
    await stepTo(system, offset)
    await restartAll(system)
    return async () => {
      await stepTo(system, "+0")
      await waitUntil(async () => (await fetch(`${system.url}/status`)).ok)
      return Date.now()
    }
  },
}))

async function stepTo({ folder }: System, offset: string) {
  setClock(folder, offset)
  await Bun.sleep(SEEN_AFTER_MS)
}

/** Ends all parts at once and waits until the supervisor has replaced them. */
async function restartAll(system: System) {
  const pids = PART_NAMES.flatMap(part => pidsOf(system, part))
  for (const pid of pids) signal(pid, "SIGTERM")
  await waitUntil(() => !pids.some(isAlive))
  await waitUntil(() =>
    fetch(`${system.url}/status`).then(
      reply => reply.ok,
      () => false,
    ),
  )
}
