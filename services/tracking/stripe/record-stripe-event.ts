import type { RequestOf } from "../../../lib/bus/operation"
import type * as contract from "../contract"
import { applyProcessorEvent } from "./apply-processor-event"
import { storeEvent } from "./processor-events"
import { readStripeEvent } from "./stripe-event"

type Request = RequestOf<typeof contract.recordStripeEvent>

/** Succeeds once the event is stored: if it cannot be applied now, the sweeper retries it. */
export async function recordStripeEvent({ program_id, event }: Request) {
  const reading = readStripeEvent(event)
  const stored = reading && (await storeEvent(program_id, event, reading))
  if (stored) await applyProcessorEvent(stored)
  return {}
}
