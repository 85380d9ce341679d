/**
 * A receiver of webhooks, in a process of its own. It writes each request down before it answers, so
 * that nothing of it is lost by a kill. Its argument is `ReceiverSettings` as JSON.
 */
import { openSync, writeSync } from "node:fs"
import { Webhook } from "standardwebhooks"
import type { Line } from "./received"

const SLOW_MS = 1_500

export type Behavior = "prompt" | "slow" | "erring"
export type ReceiverSettings = {
  hostname: string
  port: number
  behavior: Behavior
  secret: string // of its endpoint
  journal: string // path of a file
}

const settings: ReceiverSettings = JSON.parse(process.argv[2]!)
const webhook = new Webhook(settings.secret)
const file = openSync(settings.journal, "a")
const write = (line: Line) => writeSync(file, `${JSON.stringify(line)}\n`)
let count = 0

write({ started_at: Date.now() })
Bun.serve({
  hostname: settings.hostname,
  port: settings.port,
  idleTimeout: 60,
  async fetch(request) {
    const [opened, opened_at] = [++count, Date.now()]
    const body = await request.text()
    const event_id = request.headers.get("webhook-id") ?? ""
    const is_signed = isSigned(body, request.headers)
    const body_hash = Bun.SHA256.hash(body, "hex")
    write({ opened, opened_at, event_id, body_hash, is_signed })

    const status = await Promise.race([answerTo(event_id), untilCut(request.signal)])
    write({ closed: opened, closed_at: Date.now(), status })
    return new Response("", { status: status ?? 200 })
  },
})
console.log("ready")

function isSigned(body: string, headers: Headers): boolean {
  try {
    webhook.verify(body, headers.toJSON())
    return true
  } catch {
    return false
  }
}

/** Resolves with null when the sender has closed the connection. */
function untilCut(signal: AbortSignal): Promise<null> {
  const { promise, resolve } = Promise.withResolvers<null>()
  if (signal.aborted) resolve(null)
  signal.addEventListener("abort", () => resolve(null))
  return promise
}

async function answerTo(event_id: string): Promise<number> {
  if (settings.behavior === "erring") return erringAnswer(event_id)
  if (settings.behavior === "slow") await Bun.sleep(SLOW_MS)
  return 200
}

const tries = new Map<string, number>()

/** The last digit of an event decides how often it fails, and how. Some always do. */
function erringAnswer(event_id: string): number {
  const earlier = tries.get(event_id) ?? 0
  tries.set(event_id, earlier + 1)
  const digit = Number.parseInt(event_id.slice(-1), 16)
  if (digit === 0) return 500
  return earlier < digit % 3 ? [500, 302, 503, 404][digit % 4]! : 200
}
