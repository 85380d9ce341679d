import type { RequestOf } from "../../../lib/bus/operation"
import { Fault } from "../../../lib/fault"
import type * as contract from "../contract"
import { applyProcessorEvent } from "./apply-processor-event"
import { storeEvent } from "./processor-events"
import { readStripeEvent } from "./stripe-event"

type Request = RequestOf<typeof contract.recordStripeEvent>

const CLOCKS_DIFFER_SECONDS_MAX = 300

/** Succeeds once the event is stored: if it cannot be applied now, the sweeper retries it. */
export async function recordStripeEvent({ program_id, event }: Request) {
  refuseFuture(event)
  const reading = readStripeEvent(event)
  const stored = reading && (await storeEvent(program_id, event, reading))
  if (stored) await applyProcessorEvent(stored)
  return {}
}

/** Such an event is forged, or the clock of this machine is wrong. Stripe sends it again. */
function refuseFuture({ created = 0 }: Request["event"]) {
  if (created <= Date.now() / 1_000 + CLOCKS_DIFFER_SECONDS_MAX) return
  throw new Fault("invalid", "created is in the future.")
}
