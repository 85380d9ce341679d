import { watchClock } from "../../lib/db/watch-clock"
import { sql } from "./db"

/** The clock of the database of delivery. */
export const clock = watchClock(
  sql,
  "delivery",
  sql`select at from events order by id desc limit 1`,
)
