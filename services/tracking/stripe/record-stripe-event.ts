import type { RequestOf } from "../../../lib/bus/operation"
import type * as contract from "../contract"
import { applyProcessorEvent } from "./apply-processor-event"
import { storeEvent } from "./processor-events"
import { readStripeEvent } from "./stripe-event"

type Asked = RequestOf<typeof contract.recordStripeEvent>

/** Stored is answered for: what cannot be applied now is later, by the sweeper. */
export async function recordStripeEvent({ program_id, event }: Asked) {
  const reading = readStripeEvent(event)
  const stored = reading && (await storeEvent(program_id, event, reading))
  if (stored) await applyProcessorEvent(stored)
  return {}
}
