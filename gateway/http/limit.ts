import { Counter } from "prom-client"
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from "rate-limiter-flexible"
import { config } from "../../lib/config"
import { Fault } from "../../lib/fault"
import { addressOf, networkOf } from "./address"
import { openRedis } from "./redis"

export type Limit = keyof typeof config.rate_limit

const refused = new Counter({
  name: "tributary_rate_limited_total",
  help: "Calls refused because of a rate limit.",
  labelNames: ["limit"],
})
export const redis = config.rate_limits && config.redis_url ? openRedis(config.redis_url) : null
const limiters = Object.fromEntries(
  Object.entries(config.rate_limit).map(([name, rate]) => [name, limiter(name as Limit, rate)]),
) as Record<Limit, RateLimiterMemory | RateLimiterRedis>

/** Counts a call by its caller. Throws TooMany above the limit (behaviour 1.12). */
export async function limit(name: Limit, caller: string) {
  if (!config.rate_limits) return
  await limiters[name].consume(keyOf(caller)).catch(refusal => refuse(name, refusal))
}

/** Throws TooMany if the caller has reached the limit. Counts nothing. */
export async function refuseAtLimit(name: Limit, caller: string) {
  if (!config.rate_limits) return
  const used = await limiters[name].get(keyOf(caller))
  if (used && used.consumedPoints >= config.rate_limit[name].calls) refuse(name, used)
}

/** Counts a call by the network that it comes from. Throws TooMany above the limit. */
export async function limitAddress(name: Limit, request: Request) {
  if (config.rate_limits) await limit(name, networkOf(addressOf(request)))
}

/**
 * Runs an attempt that counts only if it fails with "unauthorized" (behaviour 1.12.2). It is
 * counted before it runs and uncounted on success, so concurrent attempts cannot exceed the limit.
 */
export async function limitFailures<Result>(
  name: Limit,
  caller: string,
  attempt: () => Promise<Result>,
): Promise<Result> {
  await limit(name, caller)
  const uncount = () => config.rate_limits && limiters[name].reward(keyOf(caller))
  try {
    const result = await attempt()
    await uncount()
    return result
  } catch (error) {
    if (!(error instanceof Fault && error.kind === "unauthorized")) await uncount()
    throw error
  }
}

export class TooMany extends Fault {
  constructor(readonly retry_after_seconds: number) {
    super("limited", `Too many requests. Try again in ${retry_after_seconds} s.`)
  }
}

/** Counts in Redis for all gateways; without Redis, or while it is down, for this gateway only. */
function limiter(name: Limit, { calls, seconds }: { calls: number; seconds: number }) {
  const rate = { keyPrefix: `limit:${name}`, points: calls, duration: seconds }
  const local = new RateLimiterMemory(rate)
  if (!redis) return local
  return new RateLimiterRedis({
    ...rate,
    storeClient: redis,
    insuranceLimiter: local,
    rejectIfRedisNotReady: true,
  })
}

if (config.redis_url && !config.secret_key) {
  throw new Error("REDIS_URL needs SECRET_KEY, which hides the identity of callers in Redis.")
}

/** Hashes the caller, so that Redis stores no IP address, e-mail address or token. */
export const keyOf = (caller: string) => Bun.SHA256.hash(`${config.secret_key}/${caller}`, "base64")

function refuse(name: Limit, refusal: unknown): never {
  if (!(refusal instanceof RateLimiterRes)) throw refusal
  throw tooMany(name, refusal.msBeforeNext)
}

/** The refusal of a call, which the metrics count. */
export function tooMany(limit: string, retry_after_ms: number): TooMany {
  refused.inc({ limit })
  return new TooMany(Math.max(1, Math.ceil(retry_after_ms / 1_000)))
}
