import { watchClock } from "../../lib/db/watch-clock"
import { sql } from "./db"

/** The clock of the database of delivery. Nothing irreversible is decided by it. */
export const clock = watchClock(sql, "delivery", sql`select null::timestamptz`)
