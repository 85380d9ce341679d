import type { Database, Fragment, Transaction } from "./db/database"
import { openMail, sealMail } from "./outgoing-mails"
import type { ResealResult } from "./reseal"

/**
 * Seals all mails of a table with SECRET_KEY. With `discard`, those that no key opens are given up,
 * by the statement that `giveUp` returns.
 */
export const resealMailsIn = (
  sql: Database,
  table: "mails" | "outgoing_mails",
  discard: boolean,
  giveUp: (sql: Transaction, id: string) => Fragment,
): Promise<ResealResult> =>
  sql.begin(async sql => {
    const stored = await sql<{ id: string; sealed: string }[]>`
      select id, sealed
      from ${sql(table)}
      where sealed is not null
      order by id
      for update
    `
    const unopened: string[] = []
    for (const { id, sealed } of stored) {
      const content = await openMail(id, sealed).catch(() => null)
      if (content) {
        await sql`
          update ${sql(table)}
          set sealed = ${await sealMail(id, content)}
          where id = ${id}
        `
      } else if (discard) await giveUp(sql, id)
      else unopened.push(`mail ${id}`)
    }
    return { resealed: stored.length - unopened.length, unopened }
  })
