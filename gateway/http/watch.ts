import { config } from "../../lib/config"
import { log } from "../../lib/log"
import { timings } from "../../lib/metrics"
import { type Span, startTrace } from "../../lib/span"

const took = timings(
  "tributary_http_request_duration_seconds",
  "Duration of requests, from the first byte to the end of the reply.",
  ["method", "route", "status"],
)
const isWatched = config.metrics_port !== null || config.traces
/** Whether replies are recorded, as metrics, traces or log lines. */
export const isObserved = isWatched || log.isLevelEnabled("info")
const started = new WeakMap<Request, { began_ms: number; span: Span | undefined }>()

export function startWatching(request: Request) {
  if (!isWatched) return
  started.set(request, { began_ms: performance.now(), span: startTrace("request") })
}

/** Unknown paths and methods share one label: callers can invent any number of them. */
export function recordReply(request: Request, route = "", status: number | string = 200) {
  const watched = started.get(request)
  if (!watched) return
  const labels = route ? { method: request.method, route } : { method: "any", route: "none" }
  took(watched.began_ms, { ...labels, status: `${status}` })
  watched.span?.end({
    name: `${labels.method} ${labels.route}`,
    isFailed: Number(status) >= 500,
    attributes: {
      "http.request.method": labels.method,
      "http.route": labels.route,
      "http.response.status_code": Number(status),
    },
  })
}
