import { unavailable } from "../fault"
import type { Receive, Respond, Transport } from "./transport"

/**
 * Delivers the requests and replies of this process. A simulation replaces it with an unreliable
 * network that delivers late, twice or never.
 */
export const network = { carry: (deliver: () => void) => queueMicrotask(deliver) }

/** Request/reply within one process, with no more guarantees than NATS gives. */
export function local(): Transport {
  const members = new Map<string, Receive>() // one per subject: more would share the same thread

  return {
    clockToleranceMs: 0,

    send(subject, message, withinMs) {
      const member = members.get(subject)
      if (!member) return Promise.reject(unavailable())

      const { promise, resolve, reject } = Promise.withResolvers<string>()
      const respond: Respond = reply => network.carry(() => resolve(reply))
      network.carry(() => member(message, respond))

      const timer = setTimeout(() => reject(unavailable()), withinMs)
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
