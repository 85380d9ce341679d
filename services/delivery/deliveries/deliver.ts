import { asFault } from "../../../lib/fault"
import { log } from "../../../lib/log"
import { every } from "../../../lib/timer"
import { type Claimed, claimDeliveries } from "../queue/claim-deliveries"
import { attemptDelivery } from "./attempt-delivery"

const AT_ONCE_MAX = 256 // attempts of this process
const LOOK_MS = 200
const OUTAGE_MS = 1_000
const FINISH_MS_MAX = 3_000

const running = new Set<Promise<void>>()
let ended = Promise.withResolvers<void>()

/**
 * Attempts what is due, until stopped. Returns the function that stops it, which waits a while for
 * the attempts in progress. Those that are cut are made again when their leases end.
 */
export function keepDelivering() {
  const stop = every(0, "Delivering events", deliverDue)
  return async () => {
    await stop()
    await Promise.race([Promise.all(running), Bun.sleep(FINISH_MS_MAX)])
  }
}

/** Looks for due deliveries once an attempt has ended, which makes room for others, or time passed. */
async function deliverDue() {
  await Promise.race([ended.promise, Bun.sleep(LOOK_MS)])
  ended = Promise.withResolvers()
  const free = AT_ONCE_MAX - running.size
  const claimed = free > 0 ? await claimDeliveries(free).catch(none) : []
  for (const delivery of claimed) start(delivery)
  return claimed.length
}

function start(delivery: Claimed) {
  const attempt = attemptDelivery(delivery)
    .catch(err => log.error({ err, delivery_id: delivery.delivery_id }, "An attempt was lost."))
    .finally(() => {
      running.delete(attempt)
      ended.resolve()
    })
  running.add(attempt)
}

/** An outage of the database is shown by its own log and /status. */
async function none(error: unknown): Promise<Claimed[]> {
  if (asFault(error).kind !== "unavailable") throw error
  await Bun.sleep(OUTAGE_MS)
  return []
}
