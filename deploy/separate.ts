import { join } from "node:path"
import { PART_NAMES, type Part, SERVICE_NAMES } from "./part"
import { databaseUrlVariable, natsUrlVariable } from "./settings"
import type { Supervise } from "./supervisor"

const CHECK_MS = 1_000
const MISSED_MAX = 3 // checks in a row without a heartbeat: the process is frozen
const MISSED_AT_START = -30 // a grace period for the start
const GATEWAY_STOP_MS = 4_000
const SERVICE_STOP_MS = 2_000

/**
 * Migrates, and starts each part as `replicas` processes (behaviour 9.4), each with its own login of
 * its own database alone. They use the metrics ports in the order of PART_NAMES. Returns a function that stops the gateways first, then the services they call.
 */
export async function startSeparately(
  supervise: Supervise,
  replicas: number,
  metricsPorts: number[],
) {
  const { migrateAll } = await import("./migrate-all") // late: it reads the settings
  const urls = await migrateAll()
  const start = (part: Part, replica: number) => {
    const metricsPort = metricsPorts[PART_NAMES.indexOf(part) * replicas + replica] ?? ""
    const NATS_URL = process.env[natsUrlVariable(part)] || process.env.NATS_URL || ""
    const environment = {
      METRICS_PORT: `${metricsPort}`,
      NATS_URL,
      ...databaseOf(part, urls),
      ...(part !== "delivery" && { SMTP_URL: undefined }), // it may hold a password
    }
    return supervise(part, replica, () => spawn(part, environment))
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

function databaseOf(part: Part, urls: Map<string, string>): Record<string, string> {
  const url = urls.get(part)
  const { REPORTING_READ_DATABASE_URL: standby } = process.env
  return {
    ...(url && { [databaseUrlVariable(part)]: url }),
    ...(part === "reporting" && standby && { REPORTING_READ_DATABASE_URL: standby }),
  }
}

/** Removes the URLs of other parts and of the owner, which contain their passwords. */
const WITHOUT_OTHER_URLS = Object.fromEntries([
  ...PART_NAMES.map(part => [natsUrlVariable(part), undefined]),
  ...SERVICE_NAMES.map(service => [databaseUrlVariable(service), undefined]),
  ["DATABASE_URL", undefined],
  ["REPORTING_READ_DATABASE_URL", undefined],
])

/** Starts a part as a process. If its heartbeat stops, it is killed and so replaced. */
function spawn(part: Part, environment: Record<string, string | undefined>) {
  let missed = MISSED_AT_START
  const program = join(import.meta.dir, "part.ts")
  const child = Bun.spawn([process.execPath, "--no-orphans", program, part], {
    cwd: join(import.meta.dir, ".."), // for bunfig.toml
    env: { ...process.env, ...WITHOUT_OTHER_URLS, ...environment },
    stdio: ["ignore", "inherit", "inherit"],
    detached: true, // keeps Ctrl-C away: the launcher stops the parts in order
    ipc: () => {
      missed = 0
    },
  })

  const watch = setInterval(() => {
    missed++
    if (missed >= MISSED_MAX) child.kill("SIGKILL")
  }, CHECK_MS)
  child.exited.finally(() => clearInterval(watch))
  return child
}
