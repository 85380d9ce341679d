import { join } from "node:path"
import { retryOnConflict } from "../../lib/db/pool"
import type { Program } from "./program"
import type { Database } from "./tributary"

const CHUNK_CLICKS = 25_000
const CHUNKS_MIN = 20

/** How many events so many clicks make, including their leads and sales. */
export const eventsOf = (clicks: number) => clicks + clicks / 10 + clicks / 50

export const prepareLoad = (sql: Database) => sql.file(join(import.meta.dir, "load.sql"))

/**
 * Writes the clicks from number `first` up to `last`, with their leads, sales and commissions, into
 * the tables of the services that own them, in chunks of one transaction each. Reporting reads
 * meanwhile.
 */
export async function load(
  sql: Database,
  { id, first_partner_id, first_link_id, partners, from, to }: Program,
  [first, last]: [first: number, last: number],
  onLoaded: (clicks: number) => void,
) {
  const chunk = Math.min(CHUNK_CLICKS, (last - first) / CHUNKS_MIN)
  for (let clicks = first; clicks < last; clicks += chunk) {
    // tracking may be making the partition of the month meanwhile
    await retryOnConflict(
      () => sql`
        select bench.load(
          ${id}, ${first_partner_id}, ${first_link_id}, ${partners}, ${from}, ${to},
          ${first}, ${last}, ${clicks}, ${chunk}
        )
      `,
    )
    onLoaded(clicks + chunk)
  }
  await sql`select bench.finish_load(${last})`
}
