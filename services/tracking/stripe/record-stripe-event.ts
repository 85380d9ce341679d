import type { RequestOf } from "../../../lib/bus/operation"
import { Fault } from "../../../lib/fault"
import type * as contract from "../contract"
import { isArchived } from "../programs/is-archived"
import { applyProcessorEvent } from "./apply-processor-event"
import { storeEvent } from "./processor-events"
import type { Reading } from "./reading"
import { readStripeEvent } from "./stripe-event"

type Request = RequestOf<typeof contract.recordStripeEvent>

const CLOCKS_DIFFER_SECONDS_MAX = 300

const IGNORED: Reading = { kind: "ignored", reason: "The program is archived." }

/** Succeeds once the event is stored: if it cannot be applied now, the sweeper retries it. */
export async function recordStripeEvent({ program_id, event }: Request) {
  refuseFuture(event)
  const reading = readStripeEvent(event)
  if (!reading) return {}
  const isRefused = reading.kind === "sale" && (await isArchived(program_id))
  const stored = await storeEvent(program_id, event, isRefused ? IGNORED : reading)
  if (stored) await applyProcessorEvent(stored)
  return {}
}

/** Such an event is forged, or the clock of this machine is wrong. Stripe sends it again. */
function refuseFuture({ created = 0 }: Request["event"]) {
  if (created <= Date.now() / 1_000 + CLOCKS_DIFFER_SECONDS_MAX) return
  throw new Fault("invalid", "created is in the future.")
}
