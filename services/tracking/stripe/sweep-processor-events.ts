import { sql } from "../db"
import { applyProcessorEvent } from "./apply-processor-event"
import { EVENT_COLUMNS } from "./processor-events"
import type { StoredEvent } from "./reading"

const EVENTS_MAX = 20

/** Applies events that wait: a part was away, a process died, or a refund came before its sale. */
export async function sweepProcessorEvents() {
  const events = await claimEvents()
  await Promise.all(events.map(applyProcessorEvent))
  return events.length
}

/** Two replicas do not take the same ones, and each try doubles the pause before the next. */
const claimEvents = () => sql<StoredEvent[]>`
  update processor_events
  set
    tries = tries + 1,
    try_after = now() + least(2 ^ least(tries, 6), 60) * interval '1 second'
  where id in (
    select id
    from processor_events
    where state = 'waiting'
      and try_after < now()
    order by tries, try_after -- the fresh ones first
    limit ${EVENTS_MAX}
    for update skip locked
  )
  returning ${sql(EVENT_COLUMNS)}
`
