import { openSync, writeSync } from "node:fs"

export type Kind = "click" | "lead" | "sale" | "refund"
export const KINDS: Kind[] = ["click", "lead", "sale", "refund"]

/** What a client wants to have recorded, however often it has to ask. */
export type Wish = {
  kind: Kind
  key: string // what names it in the owners' tables, once it is acknowledged
  path: string
  body: Record<string, unknown>
  token?: string
}

/** One request for a wish. A status of null: the connection broke before an answer. */
export type Attempt = {
  wish: Wish
  sent_at: number // ms since 1970, as every time here
  took_ms: number
  status: number | null
  body: any // any: as it was answered
  retry_after: string | null
}

/** acknowledged: it is promised. refused: a client must not repeat it. doubtful: it may. */
export type Fate = "acknowledged" | "refused" | "doubtful"
export type Journal = ReturnType<typeof openJournal>

/** What was sent, and how it was answered: on the disk before each request and after each reply. */
export function openJournal(path: string) {
  const file = openSync(path, "a")
  const wishes = new Map<Wish, Fate>()
  const attempts: Attempt[] = []
  const write = (entry: object) => writeSync(file, `${JSON.stringify(entry)}\n`)

  return {
    wishes,
    attempts,

    sending({ kind, key, body }: Wish) {
      write({ sends: kind, key, body, at: Date.now() })
    },

    answered(attempt: Attempt): Fate {
      const { wish, status, body, took_ms } = attempt
      const fate = fateOf(attempt, wishes.has(wish))
      attempts.push(attempt)
      wishes.set(wish, fate)
      write({ answered: wish.kind, key: wish.key, status, body, took_ms, fate, at: Date.now() })
      return fate
    },
  }
}

/** A conflict, or "skipped", tells a client that repeats that its earlier request came through. */
function fateOf({ status, body, wish }: Attempt, is_repeat: boolean): Fate {
  if (status === null || status >= 500) return "doubtful"
  if (status === 409) return is_repeat ? "acknowledged" : "refused"
  if (status !== 200 || body.success !== true) return "refused"
  if (wish.kind === "refund" && body.status === "skipped" && !is_repeat) return "refused"
  return "acknowledged"
}
