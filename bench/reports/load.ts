import { join } from "node:path"
import type { Program } from "./program"
import type { Database } from "./tributary"

const CHUNK_CLICKS = 25_000
const CHUNKS_MIN = 20

/** How many events there are when there are so many clicks: leads and sales are among them. */
export const eventsOf = (clicks: number) => clicks + clicks / 10 + clicks / 50

export const prepareLoad = (sql: Database) => sql.file(join(import.meta.dir, "load.sql"))

/**
 * Writes the clicks from one number to another, and what came of them, into the tables of their
 * owners, a transaction for some at a time. Reporting reads them meanwhile.
 */
export async function load(
  sql: Database,
  { id, first_partner_id, first_link_id, partners, from, to }: Program,
  [first, last]: [first: number, last: number],
  onLoaded: (clicks: number) => void,
) {
  const chunk = Math.min(CHUNK_CLICKS, (last - first) / CHUNKS_MIN)
  for (let clicks = first; clicks < last; clicks += chunk) {
    await sql`
      select bench.load(
        ${id}, ${first_partner_id}, ${first_link_id}, ${partners}, ${from}, ${to},
        ${first}, ${last}, ${clicks}, ${chunk}
      )
    `
    onLoaded(clicks + chunk)
  }
  await sql`select bench.go_on(${last})`
}
