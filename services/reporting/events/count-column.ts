import type { Fragment } from "../../../lib/db/database"
import { sql } from "../db"
import { KEPT_FROM } from "../retention/dropped-clicks"
import type { EventType } from "./filter"

// Compares days: converting the day of each row to a time would take longer than all the rest.
export const KEPT_DAY = sql`day >= (select (${KEPT_FROM} at time zone 'UTC')::date)`
export const KEPT_HOUR = sql`hour >= ${KEPT_FROM}`
export const ALWAYS = sql`true` // countEnds leaves out what retention dropped

/**
 * The number of listed events of a day or an hour, without clicks that retention dropped. `sales`:
 * the column that has the number of sales.
 */
export function countColumn(event_type: EventType | null, isKept: Fragment, sales = sql`sales`) {
  const clicks = sql`case when ${isKept} then clicks else 0 end`
  if (event_type === "click") return clicks
  if (event_type === "lead") return sql`leads`
  return event_type === "conversion" ? sales : sql`${clicks} + leads + ${sales}`
}
