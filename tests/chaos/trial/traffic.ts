import type { httpClient } from "./client"
import { type Journal, KINDS, type Kind, type Wish } from "./journal"
import type { openShop } from "./shop"

const PER_SECOND: Record<Kind, number> = { click: 60, lead: 15, sale: 15, refund: 5 }
const TICK_MS = 10
const PAUSE_MS = 1_000 // before a repeat, where no Retry-After says so
const GROWTH_MAX = 4
const LOOK_AGAIN_AFTER_MS = 20

export type Traffic = ReturnType<typeof startTraffic>
type Post = ReturnType<typeof httpClient>

/**
 * Sends at fixed rates, however long answers take. A client repeats a lead, sale or refund that
 * was left in doubt until it knows; a click never.
 */
export function startTraffic(journal: Journal, shop: ReturnType<typeof openShop>, post: Post) {
  const owed = { click: 0, lead: 0, sale: 0, refund: 0 }
  let open = 0 // wishes whose fate is not known yet
  let is_flowing = false
  let is_stopped = false
  let ticked_at = Date.now()

  const ticking = setInterval(() => {
    const passed_s = (Date.now() - ticked_at) / 1_000
    ticked_at = Date.now()
    if (is_flowing) for (const kind of KINDS) send(kind, passed_s)
  }, TICK_MS)

  function send(kind: Kind, passed_s: number) {
    owed[kind] += PER_SECOND[kind] * passed_s
    for (; owed[kind] >= 1; owed[kind]--) {
      const wish = shop.wishes[kind]()
      if (wish) pursue(wish)
    }
  }

  async function pursue(wish: Wish) {
    open++
    for (let tries = 1; ; tries++) {
      const attempt = await ask(wish)
      const fate = journal.answered(attempt)
      if (fate === "acknowledged") shop.acknowledged(wish, attempt.body)
      if (fate !== "doubtful" || wish.kind === "click" || is_stopped) break
      await Bun.sleep(pauseAfter(attempt, tries))
    }
    open--
  }

  async function ask(wish: Wish) {
    journal.sending(wish)
    const sent_at = Date.now()
    const began = performance.now()
    const answer = await post(wish.path, wish.body, wish.token)
    return { wish, sent_at, took_ms: performance.now() - began, ...answer }
  }

  return {
    flow() {
      ticked_at = Date.now()
      is_flowing = true
    },

    /** Nobody comes any more; waits until everybody who is there knows. */
    async rest(patience_ms: number): Promise<{ left_open: number }> {
      is_flowing = false
      const deadline = Date.now() + patience_ms
      while (open > 0 && Date.now() < deadline) await Bun.sleep(LOOK_AGAIN_AFTER_MS)
      return { left_open: open }
    },

    stop() {
      is_stopped = true
      clearInterval(ticking)
    },
  }
}

/** Retry-After at least, twice as long after each failure, and not all clients at once. */
function pauseAfter({ retry_after }: { retry_after: string | null }, tries: number): number {
  const pause_ms = retry_after ? Number(retry_after) * 1_000 : PAUSE_MS
  return pause_ms * Math.min(2 ** (tries - 1), GROWTH_MAX) * (1 + Math.random() / 2)
}
