import { collectDefaultMetrics, Gauge, Histogram, register } from "prom-client"
import { config } from "./config"

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]
const READ_MS_MAX = 1_000 // whatever is stuck, the other numbers are told

const { metrics_port } = config

/**
 * Tells Prometheus what this process counts, if it has a port for that, and whoever watches over
 * it that it lives (/healthz) and does its work (/readyz). Returns what ends it.
 */
export function serveMetrics(isReady: () => boolean): () => Promise<void> {
  if (metrics_port === null) return async () => {}
  collectDefaultMetrics()
  const server = listen(metrics_port, isReady)
  return () => server.stop(true)
}

function listen(port: number, isReady: () => boolean) {
  const routes = {
    "/healthz": () => Response.json({ status: "up" }),
    "/readyz": () =>
      isReady()
        ? Response.json({ status: "up" })
        : Response.json({ error: "This part is not ready." }, { status: 503 }),
    "/metrics": async () =>
      new Response(await register.metrics(), { headers: { "content-type": register.contentType } }),
  }
  const fetch = () => Response.json({ error: "Nothing is here." }, { status: 404 })
  try {
    return Bun.serve({ port, routes, fetch })
  } catch {
    throw new Error(`METRICS_PORT: port ${port} is taken.`)
  }
}

/**
 * Returns what notes how long something took that began at a `performance.now()`, and what its
 * labels are. Where nobody reads the numbers it does nothing, so it may stand in the way of a click.
 */
export function timings<const Label extends string>(name: string, help: string, labels: Label[]) {
  if (metrics_port === null) return () => {}
  const histogram = new Histogram({ name, help, labelNames: labels, buckets: SECONDS })
  return (began_ms: number, values: Record<Label, string>) =>
    histogram.observe(values, (performance.now() - began_ms) / 1_000)
}

/** A number that is read when Prometheus asks. What cannot be read in time is NaN. */
export function gauge(name: string, help: string, read: () => Promise<number>) {
  new Gauge({
    name,
    help,
    async collect() {
      const tooLate = Bun.sleep(READ_MS_MAX).then(() => Number.NaN)
      this.set(await Promise.race([read(), tooLate]).catch(() => Number.NaN))
    },
  })
}
