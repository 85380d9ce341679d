import { sql } from "../db"

const KEPT_DAYS = 40 // as the events (lib/outgoing-events.ts)

/** Deletes the numbers of events that nothing asks for any more. The counters stay. */
export const pruneEventNumbers = () => sql`
  delete from event_numbers
  where at < now() - ${KEPT_DAYS} * interval '1 day'
`
