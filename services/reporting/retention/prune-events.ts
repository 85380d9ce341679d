import type { Transaction } from "../../../lib/db/database"
import { takeTurn } from "../../../lib/feeds/cursors"
import { sql } from "../db"
import { KEPT_FROM } from "./dropped-clicks"

/** Gives back the room of clicks that tracking has dropped, one month after the other. */
export async function pruneEvents() {
  while (await sql.begin(pruneMonth));
}

/** The readers of feeds wait, so that no event goes into a month that is being made anew. */
async function pruneMonth(sql: Transaction): Promise<boolean> {
  await sql`set local statement_timeout = '1min'`
  await takeTurn(sql)
  await sql`set local lock_timeout = '1s'` // reports queue behind us: sooner in vain than late
  const [{ is_pruned }] = await sql<[{ is_pruned: boolean }]>`
    select drop_click_events(${KEPT_FROM}) as is_pruned
  `
  return is_pruned
}
