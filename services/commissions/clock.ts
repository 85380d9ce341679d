import { watchClock } from "../../lib/db/watch-clock"
import { sql } from "./db"

/** The clock of the database of commissions. */
export const clock = watchClock(
  sql,
  "commissions",
  sql`select created_at from ledger order by id desc limit 1`,
)
