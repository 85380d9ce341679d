import { connect, type NatsConnection, type Subscription } from "@nats-io/transport-node"
import { unanswered } from "../fault"
import { log } from "../log"
import type { Transport } from "./transport"

/**
 * NATS request/reply: at most once, and to one member of the queue group.
 * `urls` are separated by commas; user and password, or a token, stand in the first. Answers come
 * to `_INBOX.<user>`, so that a user need not be allowed to hear those of others.
 */
export async function nats(urls: string): Promise<Transport> {
  const servers = urls.split(",").map(url => new URL(url.includes("://") ? url : `nats://${url}`))
  const connection = await connect({
    servers: servers.map(({ host }) => host),
    ...credentials(servers[0] as URL),
    waitOnFirstConnect: true,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 250,
    pingInterval: 5_000,
    noAsyncTraces: true, // a stack for each request costs more than sending it
  })
  const link = watch(connection)
  const subscriptions: Subscription[] = []

  return {
    clock_tolerance_ms: 5_000, // members live on several machines; idempotence guards the rest

    async send(subject, message, within_ms) {
      if (!link.is_up) throw unanswered() // else it would wait in a buffer for the reconnect
      const answer = await connection
        .request(subject, message, { timeout: within_ms })
        .catch(cause => Promise.reject(unanswered(cause))) // at once when nobody listens
      return answer.string()
    },

    async listen(service, subject, receive) {
      const subscription = connection.subscribe(subject, {
        queue: service,
        callback(error, message) {
          if (error) return log.error({ subject, err: error }, "A subscription failed.")
          receive(message.string(), answer => message.respond(answer))
        },
      })
      subscriptions.push(subscription)
      await connection.flush() // from here on the server knows of us
      if (!subscription.isClosed()) return
      throw new Error(`NATS does not let us serve ${subject}: is it the user of ${service}?`)
    },

    async stopListening() {
      if (!link.is_up) return // there is nobody to tell, and telling would wait for ever
      await Promise.all(subscriptions.map(subscription => subscription.drain()))
    },

    close: () => (link.is_up ? connection.drain() : connection.close()),
  }
}

function credentials({ username, password }: URL) {
  if (!username) return {}
  const [user, pass] = [username, password].map(decodeURIComponent)
  return pass ? { user, pass, inboxPrefix: `_INBOX.${user}` } : { token: user }
}

function watch(connection: NatsConnection) {
  const link = { is_up: true }
  const follow = async () => {
    for await (const status of connection.status()) {
      const { type } = status
      if (type === "error") log.error({ err: status.error }, "NATS refuses something.")
      if (type === "disconnect") link.is_up = false
      if (type === "reconnect") link.is_up = true
      if (type === "disconnect" || type === "reconnect") log.warn(`NATS: ${type}`)
    }
  }
  follow().catch(error => log.error(error))
  return link
}
