import { jsonTime } from "../../../lib/outgoing-events"
import { sql } from "../db"

/** The content of a delivery's event (EventContent). For statements that join the event, if any. */
export const eventContent = sql`
  coalesce(
    delivery.own_event,
    jsonb_build_object(
      'event_key', event.event_key,
      'type', event.type,
      'at', ${jsonTime(sql, "event.at")},
      'sequence', event.sequence,
      'workspace_id', event.workspace_id,
      'program_id', event.program_id,
      'data', event.data,
      'previous', event.previous
    )
  )
`
