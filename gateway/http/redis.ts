import { Redis } from "ioredis"
import { log } from "../../lib/log"
import { tlsFiles, withoutTlsParameters } from "../../lib/tls"

const SILENCE_MS_MAX = 200 // after that, Redis counts as frozen and the connection is closed
const CONNECT_MS_MAX = 1_000
const PAUSE_MS = 1_000 // before the next try

/**
 * Opens a Redis connection that delays no request: a command fails at once while Redis is down, and
 * soon if Redis stops replying. `rediss://` connects by TLS or not at all.
 */
export function openRedis(address: string): Redis {
  const url = new URL(address)
  const redis = new Redis(withoutTlsParameters(address), {
    ...(url.protocol === "rediss:" && { tls: tlsFiles(url) }),
    socketTimeout: SILENCE_MS_MAX,
    connectTimeout: CONNECT_MS_MAX,
    retryStrategy: () => PAUSE_MS,
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    disableClientInfo: true,
  })
  logState(redis)
  return redis
}

/** Logs once that Redis is down, and why. Only the message, as an error may hold the password. */
function logState(redis: Redis) {
  let isUp = true
  let reason: string | undefined

  redis.on("error", ({ message }) => {
    reason = message
  })
  redis.on("close", () => {
    if (isUp) log.warn({ reason }, "Redis is down: this gateway counts calls on its own.")
    isUp = false
  })
  redis.on("ready", () => {
    if (!isUp) log.warn("Redis is back: the gateways count calls together again.")
    isUp = true
  })
}
