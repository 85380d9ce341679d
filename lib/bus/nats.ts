import {
  connect,
  type NatsConnection,
  type NodeConnectionOptions,
  type Subscription,
} from "@nats-io/transport-node"
import { unavailable } from "../fault"
import { log } from "../log"
import { tlsFiles } from "../tls"
import type { Transport } from "./transport"

const CONNECT_TIMEOUT_MS = 5_000 // a server that refuses a certificate may just fall silent

/**
 * Connects to NATS for request/reply: at most once, to one member of the queue group.
 * `urls` are separated by commas; the first holds user and password, or a token. Replies arrive at
 * `_INBOX.<user>`, so a user needs no permission to read the replies of others. With `tls://` in
 * any of them, all connections are by TLS or not made at all; the first names the files for it.
 */
export async function nats(urls: string): Promise<Transport> {
  const servers = urls.split(",").map(url => new URL(url.includes("://") ? url : `nats://${url}`))
  const connection = await open({
    servers: servers.map(({ host }) => host),
    ...credentials(servers[0] as URL),
    ...(servers.some(({ protocol }) => protocol === "tls:") && {
      tls: tlsFiles(servers[0] as URL),
    }),
    timeout: CONNECT_TIMEOUT_MS,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 250,
    pingInterval: 5_000,
    noAsyncTraces: true, // a stack trace per request costs more than sending it
  })
  const link = watch(connection)
  const subscriptions: Subscription[] = []

  return {
    clockToleranceMs: 5_000, // between machines; idempotence covers larger differences

    async send(subject, message, withinMs) {
      if (!link.is_up) throw unavailable() // otherwise it would be buffered until the reconnect
      const reply = await connection
        .request(subject, message, { timeout: withinMs })
        .catch(cause => Promise.reject(unavailable(cause))) // immediately if there is no subscriber
      return reply.string()
    },

    async listen(service, subject, receive) {
      const subscription = connection.subscribe(subject, {
        queue: service,
        callback(error, message) {
          if (error) return log.error({ subject, err: error }, "A subscription failed.")
          receive(message.string(), reply => message.respond(reply))
        },
      })
      subscriptions.push(subscription)
      await connection.flush() // from here on the server knows the subscription
      if (!subscription.isClosed()) return
      throw new Error(
        `NATS does not allow subscribing to ${subject}. Is NATS_URL that of ${service}?`,
      )
    },

    async stopListening() {
      if (!link.is_up) return // without a server this would wait forever
      await Promise.all(subscriptions.map(subscription => subscription.drain()))
    },

    close: () => (link.is_up ? connection.drain() : connection.close()),
  }
}

/** Connects as soon as there is a server. If TLS fails, logs the reason and retries. */
async function open(options: NodeConnectionOptions): Promise<NatsConnection> {
  if (options.tls) {
    try {
      return await connect(options)
    } catch (error) {
      log.warn({ reason: `${error}` }, "NATS is not reachable by TLS yet.")
    }
  }
  return connect({ ...options, waitOnFirstConnect: true })
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
      if (type === "error") log.error({ err: status.error }, "NATS reported an error.")
      if (type === "disconnect") link.is_up = false
      if (type === "reconnect") link.is_up = true
      if (type === "disconnect" || type === "reconnect") log.warn(`NATS: ${type}`)
    }
  }
  follow().catch(error => log.error(error))
  return link
}
