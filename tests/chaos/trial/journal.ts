import { openSync, writeSync } from "node:fs"

export type Kind = "click" | "lead" | "sale" | "refund"
export const KINDS: Kind[] = ["click", "lead", "sale", "refund"]

/** A tracking request. A client repeats it until its outcome is known. */
export type TrackingRequest = {
  kind: Kind
  key: string // identifies it in the owners' tables once it is acknowledged
  path: string
  body: Record<string, unknown>
  token?: string
}

/** One try of a request. A status of null: the connection broke before the reply. */
export type Attempt = {
  request: TrackingRequest
  sent_at: number // ms since 1970, as every time here
  took_ms: number
  status: number | null
  body: any // any: as it was received
  retry_after: string | null
}

/** acknowledged: it must be stored. refused: do not repeat it. doubtful: it may be stored. */
export type RequestState = "acknowledged" | "refused" | "doubtful"
export type Journal = ReturnType<typeof openJournal>

/** Opens a log of all requests and replies. It writes before each request and after each reply. */
export function openJournal(path: string) {
  const file = openSync(path, "a")
  const requests = new Map<TrackingRequest, RequestState>()
  const attempts: Attempt[] = []
  const write = (entry: object) => writeSync(file, `${JSON.stringify(entry)}\n`)

  return {
    requests,
    attempts,

    recordRequest({ kind, key, body }: TrackingRequest) {
      write({ sent: kind, key, body, at: Date.now() })
    },

    /** Returns the state of the request after this attempt. */
    recordReply(attempt: Attempt): RequestState {
      const { request, status, body, took_ms } = attempt
      const { kind, key } = request
      const state = stateAfter(attempt, requests.has(request))
      attempts.push(attempt)
      requests.set(request, state)
      write({ received: kind, key, status, body, took_ms, state, at: Date.now() })
      return state
    },
  }
}

/** A repeat that gets a conflict or "skipped" means that an earlier attempt was stored. */
function stateAfter({ status, body, request }: Attempt, isRepeat: boolean): RequestState {
  if (status === null || status >= 500) return "doubtful"
  if (status === 409) return isRepeat ? "acknowledged" : "refused"
  if (status !== 200 || body.success !== true) return "refused"
  if (request.kind === "refund" && body.status === "skipped" && !isRepeat) return "refused"
  return "acknowledged"
}
