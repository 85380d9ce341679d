import { watchClock } from "../../lib/db/watch-clock"
import { sql } from "./db"

/** The clock of the database of reporting. Nothing irreversible is decided by it. */
export const clock = watchClock(sql, "reporting", sql`select null::timestamptz`)
