import { freePort } from "../../deploy/port"
import { launchAlone } from "./busy"
import { scrape } from "./metrics"

const { PROCESSES = "one", REPLICAS = "1" } = process.env
const PARTS = 5
const PORTS_BELOW = 10_000 // of the ports that servers of a test get (deploy/port.ts)

/** A Tributary that nobody else works on, whose every process tells its numbers. */
export async function launchObserved(environment: Record<string, string> = {}) {
  const first = (await freePort()) - PORTS_BELOW
  const world = await launchAlone({ METRICS_PORT: `${first}`, ...environment })
  const processes = PROCESSES === "separate" ? PARTS * Number(REPLICAS) : 1
  const ports = Array.from({ length: processes }, (_, i) => first + i)
  return { ...world, ports, scrape: () => scrape(ports) }
}
