import { join } from "node:path"
import { PART_NAMES, type Part } from "./part"
import { natsUrlOf } from "./settings"
import type { Keep } from "./supervisor"

const WATCH_MS = 1_000
const SILENCES_MAX = 3 // watches in a row without a word: it is frozen
const SILENCES_AT_START = -30
const GATEWAY_STOP_MS = 4_000
const SERVICE_STOP_MS = 2_000

/**
 * Starts every part as processes of its own, `replicas` of each, which take the ports for their
 * metrics in the order of PART_NAMES. Returns what stops them, the gateways before the services
 * that answer them.
 */
export async function startSeparately(keep: Keep, replicas: number, metrics_ports: number[]) {
  const start = (part: Part, replica: number) => {
    const metrics_port = metrics_ports[PART_NAMES.indexOf(part) * replicas + replica] ?? ""
    const NATS_URL = process.env[natsUrlOf(part)] || process.env.NATS_URL || ""
    return keep(part, replica, () => spawn(part, { METRICS_PORT: `${metrics_port}`, NATS_URL }))
  }
  const startAll = (parts: Part[]) =>
    Promise.all(parts.flatMap(part => Array.from({ length: replicas }, (_, i) => start(part, i))))
  const services = await startAll(PART_NAMES.filter(part => part !== "gateway"))
  const gateways = await startAll(["gateway"])

  return async () => {
    await Promise.all(gateways.map(stop => stop(GATEWAY_STOP_MS)))
    await Promise.all(services.map(stop => stop(SERVICE_STOP_MS)))
  }
}

/** What the other parts are let in with. */
const WITHOUT_OTHER_URLS = Object.fromEntries(PART_NAMES.map(part => [natsUrlOf(part), undefined]))

/** A part says that it lives every now and then. One that was frozen is killed, and so replaced. */
function spawn(part: Part, environment: Record<string, string>) {
  let silences = SILENCES_AT_START
  const program = join(import.meta.dir, "part.ts")
  const child = Bun.spawn([process.execPath, "--no-orphans", program, part], {
    cwd: join(import.meta.dir, ".."), // where bunfig.toml is
    env: { ...process.env, ...WITHOUT_OTHER_URLS, ...environment },
    stdio: ["ignore", "inherit", "inherit"],
    detached: true, // a Ctrl-C is for us to pass on, in order
    ipc: () => {
      silences = 0
    },
  })

  const watch = setInterval(() => {
    silences++
    if (silences >= SILENCES_MAX) child.kill("SIGKILL")
  }, WATCH_MS)
  child.exited.finally(() => clearInterval(watch))
  return child
}
