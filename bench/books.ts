import type { Scene } from "./scene"
import type { System } from "./system"

export type Books = { clicks: number; links: number; partners: number; sales: number }

/** What is stored of the program, and what its counters say, with what waits to be counted. */
export async function booksOf({ sql }: System, { program_id }: Scene): Promise<Books> {
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
 * Throws unless counters are exactly the rows, and rows exactly what was answered 200. wrk hangs up
 * on what is under way when its time is over: those may be stored although it heard nothing.
 */
export function checkBooks(books: Books, answered: number, unheard_max: number) {
  const { clicks, links, partners } = books
  const unheard = clicks - answered
  if (links === clicks && partners === clicks && unheard >= 0 && unheard <= unheard_max) return
  throw new Error(`The books are wrong: ${JSON.stringify({ ...books, answered, unheard_max })}`)
}
