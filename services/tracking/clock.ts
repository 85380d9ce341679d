import { watchClock } from "../../lib/db/watch-clock"
import { sql } from "./db"

/** The clock of the database of tracking. */
export const clock = watchClock(
  sql,
  "tracking",
  sql`select created_at from affiliate_click_events order by id desc limit 1`,
)
