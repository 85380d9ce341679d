import type { Scene } from "./scene"
import type { System } from "./system"

export type Books = { clicks: number; links: number; partners: number; sales: number }

/** The stored rows of the program and its counters, including clicks that are not counted yet. */
export async function readBooks({ sql }: System, { program_id }: Scene): Promise<Books> {
  const [books] = await sql<[Books]>`
    select
      (select count(*) from tracking.affiliate_click_events
        where program_id = ${program_id} and not is_test) as clicks,
      (select sum(clicks)::bigint from tracking.counted_links
        where program_id = ${program_id}) as links,
      (select sum(clicks)::bigint from tracking.counted_partners
        where program_id = ${program_id}) as partners,
      (select count(*) from tracking.affiliate_sale_events
        where program_id = ${program_id} and state = 'complete') as sales
  `
  return books
}

/**
 * Throws unless the counters equal the rows, and the rows equal the replies of 200. wrk drops the
 * requests in flight when its time is up, so up to `extraMax` more rows may be stored.
 */
export function checkBooks(books: Books, answered: number, extraMax: number) {
  const { clicks, links, partners } = books
  const extra = clicks - answered
  if (links === clicks && partners === clicks && extra >= 0 && extra <= extraMax) return
  throw new Error(`The books do not add up: ${JSON.stringify({ ...books, answered, extraMax })}`)
}
