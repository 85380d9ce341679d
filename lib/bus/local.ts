import { unanswered } from "../fault"
import type { Receive, Respond, Transport } from "./transport"

/**
 * Carries each question and each answer of this process to where it goes. A simulation puts a
 * worse network in its place: one that never delivers, delivers late, or twice.
 */
export const network = { carry: (deliver: () => void) => queueMicrotask(deliver) }

/** Request/reply within one process: nothing to install, and no promise that NATS does not keep. */
export function local(): Transport {
  const members = new Map<string, Receive>() // one each: they would share a thread

  return {
    clock_tolerance_ms: 0,

    send(subject, message, within_ms) {
      const member = members.get(subject)
      if (!member) return Promise.reject(unanswered())

      const { promise, resolve, reject } = Promise.withResolvers<string>()
      const respond: Respond = answer => network.carry(() => resolve(answer))
      network.carry(() => member(message, respond))

      const timer = setTimeout(() => reject(unanswered()), within_ms)
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
