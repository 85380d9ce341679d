import type { Receive, Respond, Transport } from "./bus"
import { unanswered } from "./fault"

const DELAY_MS = 20

/** What becomes of a message. Silence is told at once: a simulation does not sit it out. */
type Fate = "deliver" | "lose" | "lose_answer" | "repeat" | "delay"

/** Asked about each message of this process. Nobody but a test gives it another answer. */
export const network = { fate: (_subject: string): Fate => "deliver" }

/** A bad network, and with the same seed the same one. */
export function misfortune(seed: number): typeof network.fate {
  const fates: Fate[] = ["lose", "lose_answer", "repeat", "delay", ...Array(6).fill("deliver")]
  let messages = 0
  return () => fates[Bun.hash.crc32(`${seed}/${messages++}`) % fates.length] as Fate
}

/** Request/reply within one process: nothing to install, and no promise that NATS does not keep. */
export function local(): Transport {
  const members = new Map<string, Receive>() // one each: they would share a thread

  return {
    clock_tolerance_ms: 0,

    send(subject, message, within_ms) {
      const member = members.get(subject)
      if (!member) return Promise.reject(unanswered())

      const { promise, resolve, reject } = Promise.withResolvers<string>()
      const giveUp = () => reject(unanswered())
      const deliver = (respond: Respond) => queueMicrotask(() => member(message, respond))
      const fates: Record<Fate, () => unknown> = {
        deliver: () => deliver(resolve),
        lose: () => giveUp(),
        lose_answer: () => deliver(giveUp),
        repeat: () => [deliver(resolve), deliver(resolve)],
        delay: () => [giveUp(), setTimeout(deliver, DELAY_MS, resolve)],
      }
      fates[network.fate(subject)]()

      const timer = setTimeout(giveUp, within_ms)
      return promise.finally(() => clearTimeout(timer))
    },

    async listen(_service, subject, receive) {
      members.set(subject, receive)
    },

    async stopListening() {
      members.clear()
    },

    async close() {},
  }
}
