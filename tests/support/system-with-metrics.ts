import { PART_NAMES } from "../../deploy/part"
import { freePort, isFree } from "../../deploy/port"
import { scrape } from "./metrics"
import { launchOwnSystem } from "./own-system"

const { PROCESSES = "one", REPLICAS = "1" } = process.env
const PARTS = PART_NAMES.length
const PORTS_BELOW = 12_000 // below all ports that deploy/port.ts gives to test servers

/** Starts a Tributary for one test file alone, with metrics on every process. */
export async function launchWithMetrics(environment: Record<string, string> = {}) {
  const first = await firstOf(PARTS * 2)
  const world = await launchOwnSystem({ METRICS_PORT: `${first}`, ...environment })
  const processes = PROCESSES === "separate" ? PARTS * Number(environment.REPLICAS ?? REPLICAS) : 1
  const ports = Array.from({ length: processes }, (_, i) => first + i)
  return { ...world, ports, scrape: () => scrape(ports) }
}

/** The first of several free ports in a row. */
async function firstOf(count: number): Promise<number> {
  for (;;) {
    const first = (await freePort()) - PORTS_BELOW
    const row = await Promise.all(Array.from({ length: count }, (_, i) => isFree(first + i)))
    if (row.every(Boolean)) return first
  }
}
