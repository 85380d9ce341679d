import { watchClock } from "../../lib/db/watch-clock"
import { sql } from "./db"

/** The clock of the database of identity. Nothing irreversible is decided by it. */
export const clock = watchClock(sql, "identity", sql`select null::timestamptz`)
