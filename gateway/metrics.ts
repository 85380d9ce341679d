import { timings } from "../lib/metrics"

const took = timings(
  "tributary_http_request_duration_seconds",
  "Requests, from their first byte to the end of the answer.",
  ["method", "route", "status"],
)
const begins = new WeakMap<Request, number>()

export const noteRequest = (request: Request) => begins.set(request, performance.now())

/** Callers may make up paths and methods: what is no route of ours is one to the metrics. */
export function noteAnswer(request: Request, route: string, status: number | string) {
  const method = route ? request.method : "any"
  took(begins.get(request) ?? Number.NaN, { method, route: route || "none", status: `${status}` })
}
