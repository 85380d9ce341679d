import { readFileSync } from "node:fs"
import { join } from "node:path"
import { PART_NAMES } from "../../deploy/part"
import type { Random } from "../../lib/random"
import { signal } from "../chaos/trial/victims"
import type { ProcessEntry } from "../support/tributary-process"

const PAUSE_MS_MIN = 2_000
const PAUSE_MS_RANGE = 4_000

/** Kills random parts of a running system with -9, every few seconds. */
export function startKills(data_dir: string, random: Random) {
  let kills = 0
  let timer: Timer
  const partNames: readonly string[] = PART_NAMES

  /** One replica mostly; sometimes both, as if their host had died. */
  function kill() {
    const part = random.pick(partNames)
    const processes: ProcessEntry[] = JSON.parse(
      readFileSync(join(data_dir, "processes.json"), "utf8"),
    )
    const replicas = processes.filter(({ name }) => name === part)
    const victims = random.happens(0.7) ? replicas.slice(0, 1) : replicas
    for (const { pid } of victims) signal(pid, "SIGKILL")
    kills += victims.length
    wait()
  }
  function wait() {
    timer = setTimeout(kill, PAUSE_MS_MIN + random.below(PAUSE_MS_RANGE))
  }

  wait()
  return {
    count: () => kills,
    stop: () => clearTimeout(timer),
  }
}
