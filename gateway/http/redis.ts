import { Redis } from "ioredis"
import { log } from "../../lib/log"

const SILENCE_MS_MAX = 200 // then it counts as frozen and its connection is closed
const CONNECT_MS_MAX = 1_000
const PAUSE_MS = 1_000 // before the next try

/**
 * Opens a Redis that no request waits for: a command fails at once while Redis is down, and soon
 * when Redis falls silent.
 */
export function openRedis(url: string): Redis {
  const redis = new Redis(url, {
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

/** Logs once that Redis is down, and why. Only the message: an error may hold the password. */
function logState(redis: Redis) {
  let is_up = true
  let reason: string | undefined

  redis.on("error", ({ message }) => {
    reason = message
  })
  redis.on("close", () => {
    if (is_up) log.warn({ reason }, "Redis is down: this gateway counts calls on its own.")
    is_up = false
  })
  redis.on("ready", () => {
    if (!is_up) log.warn("Redis is back: the gateways count calls together again.")
    is_up = true
  })
}
