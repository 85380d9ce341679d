import type { httpClient } from "./client"
import { type Journal, KINDS, type Kind, type TrackingRequest } from "./journal"
import type { openShop } from "./shop"

const PER_SECOND: Record<Kind, number> = { click: 60, lead: 15, sale: 15, refund: 5 }
const TICK_MS = 10
const PAUSE_MS = 1_000 // before a repeat, unless Retry-After says otherwise
const BACKOFF_FACTOR_MAX = 4
const POLL_MS = 20

export type Traffic = ReturnType<typeof startTraffic>
type Post = ReturnType<typeof httpClient>

/**
 * Starts clients that send at fixed rates, however long replies take. They repeat a lead, sale or
 * refund until its outcome is known, but never a click. Nothing is sent before `resume`.
 */
export function startTraffic(journal: Journal, shop: ReturnType<typeof openShop>, post: Post) {
  const due = { click: 0, lead: 0, sale: 0, refund: 0 }
  let pending = 0 // requests whose outcome is not known yet
  let isFlowing = false
  let isStopped = false
  let tickedAt = Date.now()

  const timer = setInterval(() => {
    const passedSeconds = (Date.now() - tickedAt) / 1_000
    tickedAt = Date.now()
    if (isFlowing) for (const kind of KINDS) sendDue(kind, passedSeconds)
  }, TICK_MS)

  function sendDue(kind: Kind, passedSeconds: number) {
    due[kind] += PER_SECOND[kind] * passedSeconds
    for (; due[kind] >= 1; due[kind]--) {
      const request = shop.nextRequest[kind]()
      if (request) sendUntilKnown(request)
    }
  }

  async function sendUntilKnown(request: TrackingRequest) {
    pending++
    for (let tries = 1; ; tries++) {
      const attempt = await send(request)
      const state = journal.recordReply(attempt)
      if (state === "acknowledged") shop.acknowledge(request, attempt.body)
      if (state !== "doubtful" || request.kind === "click" || isStopped) break
      await Bun.sleep(pauseAfter(attempt, tries))
    }
    pending--
  }

  async function send(request: TrackingRequest) {
    journal.recordRequest(request)
    const sent_at = Date.now()
    const startedAt = performance.now()
    const reply = await post(request.path, request.body, request.token)
    return { request, sent_at, took_ms: performance.now() - startedAt, ...reply }
  }

  return {
    /** Sends new requests from now on. */
    resume() {
      tickedAt = Date.now()
      isFlowing = true
    },

    /** Stops new requests and waits for the pending ones. Returns how many are still pending. */
    async drain(timeoutMs: number): Promise<{ pending: number }> {
      isFlowing = false
      const deadline = Date.now() + timeoutMs
      while (pending > 0 && Date.now() < deadline) await Bun.sleep(POLL_MS)
      return { pending }
    },

    stop() {
      isStopped = true
      clearInterval(timer)
    },
  }
}

/** The pause before a repeat: at least Retry-After, doubled after each failure, with jitter. */
function pauseAfter({ retry_after }: { retry_after: string | null }, tries: number): number {
  const pauseMs = retry_after ? Number(retry_after) * 1_000 : PAUSE_MS
  return pauseMs * Math.min(2 ** (tries - 1), BACKOFF_FACTOR_MAX) * (1 + Math.random() / 2)
}
