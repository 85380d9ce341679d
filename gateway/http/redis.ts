import { Redis } from "ioredis"
import { log } from "../../lib/log"

const SILENCE_MS_MAX = 200 // then it counts as frozen, and its connection is given up
const CONNECT_MS_MAX = 1_000
const PAUSE_MS = 1_000 // before it is asked again

/**
 * Opens a Redis that nobody waits for: what is asked while it is away fails at once, and what
 * was under way when it fell silent fails soon.
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
  follow(redis)
  return redis
}

/** Says once that it is away, and why. The rest of an error may hold the password it was sent. */
function follow(redis: Redis) {
  let is_up = true
  let reason: string | undefined

  redis.on("error", ({ message }) => {
    reason = message
  })
  redis.on("close", () => {
    if (is_up) log.warn({ reason }, "Redis is away: this gateway counts calls for itself.")
    is_up = false
  })
  redis.on("ready", () => {
    if (!is_up) log.warn("Redis is back: the gateways count calls together.")
    is_up = true
  })
}
