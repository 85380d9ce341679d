import { sql } from "../db"

/** Creates the coming monthly partitions of clicks. A month that has begun cannot be added. */
export async function ensurePartitions() {
  await sql`select ensure_click_partitions()`
}
