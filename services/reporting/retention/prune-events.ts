import type { Transaction } from "../../../lib/db/database"
import { lockCursors } from "../../../lib/feeds/cursors"
import { sql } from "../db"
import { KEPT_FROM } from "./dropped-clicks"

/** Frees the space of clicks that tracking has dropped, month by month (behaviour 9.9). */
export async function pruneEvents() {
  while (await sql.begin(pruneMonth));
}

/** Blocks the feed readers, so that no event is added to a month whose partition is replaced. */
async function pruneMonth(sql: Transaction): Promise<boolean> {
  await sql`set local statement_timeout = '1min'`
  await lockCursors(sql)
  await sql`set local lock_timeout = '1s'` // reports queue behind this lock: better to give up
  const [{ is_pruned }] = await sql<[{ is_pruned: boolean }]>`
    select drop_click_events(${KEPT_FROM}) as is_pruned
  `
  return is_pruned
}
