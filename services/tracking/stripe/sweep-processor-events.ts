import { claim } from "../claim"
import { sql } from "../db"
import { applyProcessorEvent } from "./apply-processor-event"
import { EVENT_COLUMNS } from "./processor-events"
import type { StoredEvent } from "./reading"

/**
 * Applies events left waiting by a crash, an outage or a refund that came before its sale. Returns
 * how many it claimed.
 */
export async function sweepProcessorEvents() {
  const events = await claim<StoredEvent>({
    table: "processor_events",
    isOpen: sql`state = 'waiting'`,
    order: sql`tries, try_after`, // new events first: others may wait for their sale
    columns: EVENT_COLUMNS,
  })
  await Promise.all(events.map(applyProcessorEvent))
  return events.length
}
