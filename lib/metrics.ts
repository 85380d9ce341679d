import { collectDefaultMetrics, Gauge, Histogram, register } from "prom-client"
import { config } from "./config"

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]
const READ_MS_MAX = 1_000 // one slow gauge must not hold back the others

const { metrics_host: hostname, metrics_port } = config

/**
 * Serves /metrics for Prometheus, /healthz and /readyz, if METRICS_PORT is set: on loopback, unless
 * METRICS_HOST names another address.
 * Returns a function that stops the server.
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
        : Response.json({ error: "Not ready." }, { status: 503 }),
    "/metrics": async () =>
      new Response(await register.metrics(), { headers: { "content-type": register.contentType } }),
  }
  const fetch = () => Response.json({ error: "Not found." }, { status: 404 })
  try {
    return Bun.serve({ hostname, port, routes, fetch })
  } catch {
    throw new Error(`METRICS_HOST, METRICS_PORT: cannot listen on ${hostname}:${port}.`)
  }
}

/**
 * Creates a histogram of durations. Returns a function that observes the time since a
 * `performance.now()`. Does nothing without METRICS_PORT, so it is cheap enough for clicks.
 */
export function timings<const Label extends string>(name: string, help: string, labels: Label[]) {
  if (metrics_port === null) return () => {}
  const histogram = new Histogram({ name, help, labelNames: labels, buckets: SECONDS })
  return (began_ms: number, values: Record<Label, string>) =>
    histogram.observe(values, (performance.now() - began_ms) / 1_000)
}

/** Registers a gauge that is read on each scrape. NaN: reading failed or took over a second. */
export function gauge(name: string, help: string, read: () => Promise<number>) {
  new Gauge({
    name,
    help,
    async collect() {
      const timeout = Bun.sleep(READ_MS_MAX).then(() => Number.NaN)
      this.set(await Promise.race([read(), timeout]).catch(() => Number.NaN))
    },
  })
}
