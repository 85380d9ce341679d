type Stop = () => Promise<void>

/** The parts, in the order in which they start. */
const PARTS = {
  identity: () => import("../services/identity/main"),
  commissions: () => import("../services/commissions/main"),
  tracking: () => import("../services/tracking/main"),
  reporting: () => import("../services/reporting/main"),
  delivery: () => import("../services/delivery/main"),
  gateway: () => import("../gateway/main"),
}
export type Part = keyof typeof PARTS
export const PART_NAMES = Object.keys(PARTS) as Part[]
export const SERVICE_NAMES = PART_NAMES.filter(part => part !== "gateway")

const HEARTBEAT_MS = 500
const STOP_MS_MAX = 10_000

/**
 * Starts parts in this process. Returns a function that stops them without losing a request: first
 * the gateway stops accepting, then the bus, and only then the services close their databases.
 */
export async function startParts(names: Part[]): Promise<Stop> {
  let isReady = false
  const stopTelemetry = await startTelemetry(names, () => isReady)
  const stops: Partial<Record<Part, Stop>> = {}
  for (const name of names) stops[name] = await (await PARTS[name]()).start()
  const { gateway, ...services } = stops
  isReady = true

  return async () => {
    isReady = false
    const { drain } = await import("../lib/bus/bus")
    await gateway?.()
    await drain()
    await Promise.all(Object.values(services).map(stop => stop()))
    await stopTelemetry()
  }
}

/** Starts metrics and tracing, which must outlive the parts that they observe. */
async function startTelemetry(names: Part[], isReady: () => boolean): Promise<Stop> {
  const { config } = await import("../lib/config")
  const { serveMetrics } = await import("../lib/metrics")
  const stopMetrics = serveMetrics(isReady)
  if (!config.traces) return stopMetrics

  const { startTracing } = await import("../lib/tracing") // imported only when needed: 30 MB
  const service = names.length === 1 ? `tributary-${names[0]}` : "tributary"
  const stopTracing = startTracing(service)
  return async () => {
    await Promise.all([stopMetrics(), stopTracing()])
  }
}

/**
 * Runs a part as this process until SIGTERM, which may arrive before the part has started. The
 * shutdown has a time limit, since without NATS some work cannot be finished.
 */
export async function runPart(name: Part) {
  let stop: Stop = async () => {}
  process.once("SIGTERM", () =>
    Promise.race([stop(), Bun.sleep(STOP_MS_MAX)]).finally(() => process.exit(0)),
  )
  stop = await startParts([name])
}

/** Returns the message of a plain Error, which is meant for the operator, or the whole error. */
export function describeError(error: unknown): unknown {
  return error instanceof Error && error.constructor === Error ? error.message : error
}

if (import.meta.main) {
  setInterval(() => process.send?.("alive"), HEARTBEAT_MS)
  try {
    await runPart(process.argv[2] as Part)
  } catch (error) {
    console.error(describeError(error))
    process.exit(1)
  }
}
