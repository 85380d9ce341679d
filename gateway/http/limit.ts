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
const redis = config.rate_limits && config.redis_url ? openRedis(config.redis_url) : null
const limiters = Object.fromEntries(
  Object.entries(config.rate_limit).map(([name, rate]) => [name, limiter(name as Limit, rate)]),
) as Record<Limit, RateLimiterMemory | RateLimiterRedis>

/** Counts a call of `who`. Throws TooMany above the limit (contract 1). */
export async function limit(name: Limit, who: string) {
  if (!config.rate_limits) return
  await limiters[name].consume(keyOf(who)).catch(refusal => refuse(name, refusal))
}

/** Counts a call by the network it comes from. */
export async function limitAddress(name: Limit, request: Request) {
  if (config.rate_limits) await limit(name, networkOf(addressOf(request)))
}

/**
 * Runs an attempt of which only failures ("unauthorized") count. It is counted before it runs and
 * taken back when it succeeds, so that attempts that race get no further than others.
 */
export async function limitFailures<Result>(
  name: Limit,
  who: string,
  attempt: () => Promise<Result>,
): Promise<Result> {
  await limit(name, who)
  const takeBack = () => config.rate_limits && limiters[name].reward(keyOf(who))
  try {
    const result = await attempt()
    await takeBack()
    return result
  } catch (error) {
    if (!(error instanceof Fault && error.kind === "unauthorized")) await takeBack()
    throw error
  }
}

export class TooMany extends Fault {
  constructor(readonly retry_after_seconds: number) {
    super("limited", `Too many calls. Try again in ${retry_after_seconds} s.`)
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
  throw new Error("Set SECRET_KEY beside REDIS_URL: it hides the callers that are counted there.")
}

/** Redis sees no IP address, e-mail address or token. */
const keyOf = (who: string) => Bun.SHA256.hash(`${config.secret_key}/${who}`, "base64")

function refuse(name: Limit, refusal: unknown): never {
  if (!(refusal instanceof RateLimiterRes)) throw refusal
  refused.inc({ limit: name })
  throw new TooMany(Math.max(1, Math.ceil(refusal.msBeforeNext / 1_000)))
}
