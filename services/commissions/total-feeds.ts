import { type FeedTotal, type FeedTotalsRequest, feedRowsIn, inSnapshot } from "../../lib/reconcile"
import { sql } from "./db"

/** Totals of the feeds up to a reader's positions: its copy must have the same. */
export const totalFeeds = (request: FeedTotalsRequest) =>
  inSnapshot(
    sql,
    sql => sql<FeedTotal[]>`
      select 'partners' as feed, program_id, count(*) as rows, sum(id)::text as ids,
        '0' as amount_cents
      from partner_programs
      where ${feedRowsIn(sql, "partners", request)}
      group by program_id
      union all
      select 'commissions', program_id, count(*), sum(id)::text, sum(amount_cents)::text
      from commissions
      where ${feedRowsIn(sql, "commissions", request)}
      group by program_id
    `,
  )
