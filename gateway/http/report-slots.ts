import { config } from "../../lib/config"
import { shownToken } from "./caller"
import { keyOf, redis, tooMany } from "./limit"

const LEASE_MS = 60_000 // a slot that is not released, as after a crash, is free again
const RETRY_MS = 1_000
const SLOTS_MAX = config.reports_at_once_max

/** One of the few reports that a session or key may run at once. */
export type Slot = { renew(): Promise<unknown>; release(): Promise<void> }

const slots = new WeakMap<Request, Slot>()
const kept = new WeakSet<Request>() // by an export, which outlives its handler

/**
 * Runs a report while its session or key holds a slot. The slots are counted by this gateway, and
 * in Redis for all of them together. Throws TooMany if none is free (behaviour 1.12.1).
 */
export async function withReportSlot<Result>(
  request: Request,
  work: () => Promise<Result>,
): Promise<Result> {
  const credential = shownToken(request)
  if (!config.rate_limits || !credential) return work() // without a credential it is refused

  const slot = await takeSlot(keyOf(credential))
  slots.set(request, slot)
  try {
    return await work()
  } finally {
    if (!kept.has(request)) await slot.release()
  }
}

/** Leaves the slot of a report to its export, which releases it at its end. */
export function keepReportSlot(request: Request): Slot | undefined {
  kept.add(request)
  return slots.get(request)
}

async function takeSlot(caller: string): Promise<Slot> {
  const id = crypto.randomUUID()
  const slot = {
    async renew() {
      holdHere(caller, id)
      await holdInRedis(caller, id)
    },
    async release() {
      freeHere(caller, id)
      await redis?.zrem(redisKeyOf(caller), id).catch(() => {}) // its lease ends by itself
    },
  }
  if (!holdHere(caller, id)) throw tooMany("reports", RETRY_MS)
  if (await holdInRedis(caller, id)) return slot
  freeHere(caller, id)
  throw tooMany("reports", RETRY_MS)
}

/** By caller: the ends of the leases that this gateway holds, by id. */
const leases = new Map<string, Map<string, number>>()

function holdHere(caller: string, id: string): boolean {
  const now = Date.now()
  const held = leases.get(caller) ?? new Map<string, number>()
  for (const [other, ends_at] of held) if (ends_at < now) held.delete(other)
  if (held.size >= SLOTS_MAX && !held.has(id)) return false
  leases.set(caller, held.set(id, now + LEASE_MS))
  return true
}

function freeHere(caller: string, id: string) {
  const held = leases.get(caller)
  held?.delete(id)
  if (held?.size === 0) leases.delete(caller)
}

/** One sorted set per caller: its ids by the end of their lease, by the clock of Redis. */
const HOLD = `
  local now = redis.call("time")[1] * 1000
  redis.call("zremrangebyscore", KEYS[1], "-inf", now)
  local isHeld = redis.call("zscore", KEYS[1], ARGV[1])
  if not isHeld and redis.call("zcard", KEYS[1]) >= tonumber(ARGV[2]) then return 0 end
  redis.call("zadd", KEYS[1], now + ARGV[3], ARGV[1])
  redis.call("pexpire", KEYS[1], ARGV[3])
  return 1
`

/** True also without Redis, or while it is down: then each gateway counts on its own. */
async function holdInRedis(caller: string, id: string): Promise<boolean> {
  if (!redis) return true
  const holding = redis.eval(HOLD, 1, redisKeyOf(caller), id, SLOTS_MAX, LEASE_MS)
  return (await holding.catch(() => 1)) === 1
}

const redisKeyOf = (caller: string) => `slots:reports:${caller}`
