import { sql } from "../db"

/** Clicks are kept by month. Asked for early enough: a month that has begun cannot be added. */
export async function ensurePartitions() {
  await sql`select ensure_click_partitions()`
}
