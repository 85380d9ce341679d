import { config } from "../../lib/config"
import { log } from "../../lib/log"
import { timings } from "../../lib/metrics"
import { enterTrace, type Span } from "../../lib/span"

const took = timings(
  "tributary_http_request_duration_seconds",
  "Requests, from their first byte to the end of the answer.",
  ["method", "route", "status"],
)
const isWatched = config.metrics_port !== null || config.traces
/** Whether anybody is told of answers, in numbers, traces or lines. */
export const isFollowed = isWatched || log.isLevelEnabled("info")
const begun = new WeakMap<Request, { began_ms: number; span: Span | undefined }>()

export function noteRequest(request: Request) {
  if (!isWatched) return
  begun.set(request, { began_ms: performance.now(), span: enterTrace("request") })
}

/** Callers may make up paths and methods: what is no route of ours is one to those who watch. */
export function noteAnswer(request: Request, route = "", status: number | string = 200) {
  const noted = begun.get(request)
  if (!noted) return
  const asked = route ? { method: request.method, route } : { method: "any", route: "none" }
  took(noted.began_ms, { ...asked, status: `${status}` })
  noted.span?.end({
    name: `${asked.method} ${asked.route}`,
    isFailed: Number(status) >= 500,
    attributes: {
      "http.request.method": asked.method,
      "http.route": asked.route,
      "http.response.status_code": Number(status),
    },
  })
}
