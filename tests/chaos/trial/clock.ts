import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { PART_NAMES } from "../../../deploy/part"
import { StageUnavailable } from "./disk"
import type { Fault } from "./fault"
import type { System } from "./system"
import { isAlive, pidsOf, signal, waitUntil } from "./victims"

const LIBRARY = "/usr/lib/*/faketime/libfaketime.so.1" // of the package faketime
const CACHE_SECONDS = 1 // a step is seen by every session within this time
const HOLD_MS = 4_000
const RECOVERY_MAX_SECONDS = 5 // after a restart of everything

const STEPS = ["+10s", "-10s", "-3h", "+20h", "+75d", "+300d"]

const fileOf = (folder: string) => join(folder, "clock")

/** The environment under which a program's clock is off by what `setClock` says. */
export function fakeClock(folder: string): Record<string, string> {
  const [library] = new Bun.Glob(LIBRARY.slice(1)).scanSync("/")
  if (!library) throw new StageUnavailable("libfaketime is not installed")
  setClock(folder, "+0")
  return {
    LD_PRELOAD: join("/", library),
    FAKETIME_TIMESTAMP_FILE: fileOf(folder),
    FAKETIME_CACHE_DURATION: `${CACHE_SECONDS}`,
    FAKETIME_DONT_FAKE_MONOTONIC: "1",
    FAKETIME_DONT_RESET: "1",
  }
}

const setClock = (folder: string, offset: string) => writeFileSync(fileOf(folder), `${offset}\n`)

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
  await Bun.sleep(2 * CACHE_SECONDS * 1_000)
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
