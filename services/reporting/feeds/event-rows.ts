import type { Transaction } from "../../../lib/db/database"
import type { Event } from "../contract"

/** Creates the monthly partitions that events with these times need. */
export const createPartitions = (sql: Transaction, times: string[]) => {
  const months = [...new Set(times.map(time => `${time.slice(0, 7)}-01`))]
  return sql`
    select ensure_event_partition(month::date)
    from jsonb_array_elements_text(${sql.json(months)}) as month
  `
}

/** Deletes all events of one type, of every program. */
export const deleteEvents = (sql: Transaction, event_type: Event["event_type"]) => sql`
  delete from events
  where event_type = ${event_type}
`
