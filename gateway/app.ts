import { Elysia } from "elysia"
import { asFault, Fault } from "../lib/fault"
import { log } from "../lib/log"
import { currentContext, newContext, setActor, withContext } from "../lib/request-context"
import { prefersHtml } from "./http/accept"
import { addressOf, truncated } from "./http/address"
import { refuseAmbiguity } from "./http/ambiguity"
import { refuseEncoding } from "./http/body"
import { shownToken } from "./http/caller"
import { isTracking, preflight } from "./http/cors"
import { startWaiting } from "./http/deadline"
import { limit, TooMany } from "./http/limit"
import { protect } from "./http/protection"
import { isRead } from "./http/query"
import { refusalPageOf } from "./http/refusal-page"
import { mount } from "./http/route"
import { STATUS } from "./http/status"
import { refuseGuessers } from "./http/unknown-credentials"
import { isObserved, recordReply, startWatching } from "./http/watch"
import { sendNotFoundPage } from "./routes/pages/not-found"
import { ROUTES } from "./routes/routes"

/** Set when the process is about to stop: each reply then closes its connection. */
export const shutdown = { isShuttingDown: false }

export const app = new Elysia({ strictPath: true })
  .wrap(handle => (request: Request) => withContext(newContext(), () => handle(request)))
  .onRequest(({ request, set }) => {
    startWatching(request)
    startWaiting()
    set.headers["x-request-id"] = currentContext().request_id
    if (shutdown.isShuttingDown) set.headers.connection = "close"
    const path = URL.parse(request.url)?.pathname
    protect(set.headers, path)
    if (path === undefined) throw new Fault("invalid", "The Host header is not valid.")
    refuseAmbiguity(request, () => methodsOf(path).includes(request.method))
    return preflight(request.method, path, set)
  })
  .onBeforeHandle(async ({ request }) => {
    const address = addressOf(request)
    setActor({ kind: "none", address: address && truncated(address) })
    const token = shownToken(request)
    await Promise.all([refuseGuessers(request), token && limit("credentials", token)])
    if (isRead(request)) refuseEncoding(request)
  })
  .onError(({ error, code, path, request, set }) => {
    const fault =
      code === "NOT_FOUND" ? notFound(request.method, path, set.headers) : asFault(error)
    const { kind, message, cause } = fault
    if (cause) log.error({ method: request.method, err: cause }, message)

    set.status = STATUS[kind]
    if (kind === "unavailable") set.headers["retry-after"] = "1"
    if (kind === "limited") set.headers["retry-after"] = "60" // of a quota; a limit knows its own
    if (fault instanceof TooMany) set.headers["retry-after"] = `${fault.retry_after_seconds}`
    const page = refusalPageOf(fault)
    if (page) {
      Object.assign(set.headers, page.headers)
      return page.html
    }
    if (code === "NOT_FOUND" && kind === "missing" && isForPerson(request, path)) {
      return sendNotFoundPage(set, ROUTES)
    }
    return kind === "duplicate"
      ? { error: "Conflict", message, statusCode: 409 } // the only other error body (behaviour 1.1)
      : { error: message }
  })
  .use(isObserved ? observeReplies : plain => plain)

mount(app, ROUTES)

/** Added only if needed: a hook after the reply costs each request a turn of the event loop. */
function observeReplies(plain: Elysia) {
  return plain.onAfterResponse(({ request, route, set }) => {
    const status = set.status ?? 200
    recordReply(request, route, status)
    log.info({ method: request.method, route, status }, "answered")
  })
}

/** 405 with Allow where the path exists with other methods, else 404. */
function notFound(method: string, path: string, headers: Record<string, unknown>): Fault {
  const methods = methodsOf(path)
  if (methods.length === 0) return new Fault("missing", "Not found.")

  if (methods.includes("GET")) methods.push("HEAD")
  if (isTracking(path)) methods.push("OPTIONS")
  headers.allow = [...new Set(methods)].join(", ")
  return new Fault("not_allowed", `Method ${method} is not allowed here.`)
}

/** Whether a browser opens an address outside the API. */
const isForPerson = (request: Request, path: string) =>
  isRead(request) && !path.startsWith("/api/") && prefersHtml(request)

const methodsOf = (path: string) =>
  app.routes.filter(route => matches(route.path, path)).map(route => route.method)

function matches(pattern: string, path: string): boolean {
  const [expected, given] = [pattern.split("/"), path.split("/")]
  return (
    expected.length === given.length &&
    expected.every((part, i) => (part.startsWith(":") ? given[i] !== "" : part === given[i]))
  )
}
