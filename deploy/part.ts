type Stop = () => Promise<void>

/** The parts in the order in which they start. */
const PARTS = {
  identity: () => import("../services/identity/main"),
  commissions: () => import("../services/commissions/main"),
  tracking: () => import("../services/tracking/main"),
  reporting: () => import("../services/reporting/main"),
  gateway: () => import("../gateway/main"),
}
export type Part = keyof typeof PARTS
export const PART_NAMES = Object.keys(PARTS) as Part[]
export const SERVICE_NAMES = PART_NAMES.filter(part => part !== "gateway")

const BEAT_MS = 500
const STOP_MS_MAX = 10_000

/**
 * Starts parts in this process. Returns what stops them without losing a request: the gateway
 * takes no more, then the bus, and only then the services let go of their databases.
 */
export async function startParts(names: Part[]): Promise<Stop> {
  let is_ready = false
  const stopWatching = await startWatching(names, () => is_ready)
  const stops: Partial<Record<Part, Stop>> = {}
  for (const name of names) stops[name] = await (await PARTS[name]()).start()
  const { gateway, ...services } = stops
  is_ready = true

  return async () => {
    is_ready = false
    const { drain } = await import("../lib/bus/bus")
    await gateway?.()
    await drain()
    await Promise.all(Object.values(services).map(stop => stop()))
    await stopWatching()
  }
}

/** Metrics and traces begin before whatever they tell of, and end after it. */
async function startWatching(names: Part[], isReady: () => boolean): Promise<Stop> {
  const { config } = await import("../lib/config")
  const { serveMetrics } = await import("../lib/metrics")
  const stopMetrics = serveMetrics(isReady)
  if (!config.traces) return stopMetrics

  const { startTracing } = await import("../lib/tracing") // 30 MB that nobody else needs
  const service = names.length === 1 ? `tributary-${names[0]}` : "tributary"
  const stopTracing = startTracing(service)
  return async () => {
    await Promise.all([stopMetrics(), stopTracing()])
  }
}

/**
 * Runs a part as this process, until SIGTERM, which may come before it has started. What cannot be
 * finished, since NATS is not there, is not waited for without end.
 */
export async function runPart(name: Part) {
  let stop: Stop = async () => {}
  process.once("SIGTERM", () =>
    Promise.race([stop(), Bun.sleep(STOP_MS_MAX)]).finally(() => process.exit(0)),
  )
  stop = await startParts([name])
}

/** What may be told of an error at the start: a sentence if it was written as one. */
export function sentenceOf(error: unknown): unknown {
  return error instanceof Error && error.constructor === Error ? error.message : error
}

if (import.meta.main) {
  setInterval(() => process.send?.("alive"), BEAT_MS)
  try {
    await runPart(process.argv[2] as Part)
  } catch (error) {
    console.error(sentenceOf(error))
    process.exit(1)
  }
}
