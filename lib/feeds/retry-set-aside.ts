import type { Database } from "../db/database"
import { log } from "../log"
import { lockCursors } from "./cursors"
import { applyRows, isRowAtFault, reasonOf } from "./set-aside"
import type { Feed } from "./source"

const RETRIED_MAX = 100 // in one run

/** Tries rows again that were set aside. Returns how many could be applied. */
export async function retrySetAside(sql: Database, feeds: Feed[]): Promise<number> {
  const rows = await sql<{ id: number; feed: string }[]>`
    select id, feed
    from set_aside
    order by tried_at
    limit ${RETRIED_MAX}
  `
  let applied = 0
  for (const { id, feed: name } of rows) {
    const feed = feeds.find(feed => feed.name === name)
    if (feed && (await retry(sql, id, feed))) applied++
  }
  return applied
}

/** Applies one row and forgets it, or stores why it still cannot be applied. */
const retry = (sql: Database, id: number, feed: Feed): Promise<boolean> =>
  sql
    .begin(async sql => {
      await lockCursors(sql)
      const [waiting] = await sql<[{ row: string }?]>`
      delete from set_aside
      where id = ${id}
      returning row
    `
      if (!waiting) return false // another replica has applied it
      await applyRows(sql, feed, [JSON.parse(waiting.row)])
      log.warn({ feed: feed.name }, "A row that had been set aside is applied.")
      return true
    })
    .catch(async error => {
      if (!isRowAtFault(error)) throw error
      await sql`
      update set_aside
      set
        reason = ${reasonOf(error)},
        tries = tries + 1,
        tried_at = now()
      where id = ${id}
    `
      return false
    }) as Promise<boolean>
