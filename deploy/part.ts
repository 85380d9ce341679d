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

const BEAT_MS = 500

/**
 * Starts parts in this process. Returns what stops them without losing a request: the gateway
 * takes no more, then the bus, and only then the services let go of their databases.
 */
export async function startParts(names: Part[]): Promise<Stop> {
  const stopWatching = await startWatching(names)
  const stops: Partial<Record<Part, Stop>> = {}
  for (const name of names) stops[name] = await (await PARTS[name]()).start()
  const { gateway, ...services } = stops

  return async () => {
    const { drain } = await import("../lib/bus")
    await gateway?.()
    await drain()
    await Promise.all(Object.values(services).map(stop => stop()))
    await stopWatching()
  }
}

/** Metrics and traces begin before whatever they tell of, and end after it. */
async function startWatching(names: Part[]): Promise<Stop> {
  const { config } = await import("../lib/config")
  const { serveMetrics } = await import("../lib/metrics")
  const stopMetrics = serveMetrics()
  if (!config.traces) return stopMetrics

  const { startTracing } = await import("../lib/tracing") // 30 MB that nobody else needs
  const service = names.length === 1 ? `tributary-${names[0]}` : "tributary"
  const stopTracing = startTracing(service)
  return async () => {
    await Promise.all([stopMetrics(), stopTracing()])
  }
}

/** What may be told of an error at the start: a sentence if it was written as one. */
export function sentenceOf(error: unknown): unknown {
  return error instanceof Error && error.constructor === Error ? error.message : error
}

if (import.meta.main) {
  setInterval(() => process.send?.("alive"), BEAT_MS)
  try {
    const stop = await startParts([process.argv[2] as Part])
    process.once("SIGTERM", () => stop().finally(() => process.exit(0)))
  } catch (error) {
    console.error(sentenceOf(error))
    process.exit(1)
  }
}
