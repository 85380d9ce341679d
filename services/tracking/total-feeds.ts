import {
  type FeedTotal,
  type FeedTotalsRequest,
  feedRowsIn,
  inSnapshot,
  programsIn,
} from "../../lib/reconcile"
import { sql } from "./db"

/** Totals of the feeds, which their reader must match as far as it has read them. */
export const totalFeeds = (request: FeedTotalsRequest) =>
  inSnapshot(
    sql,
    sql => sql<FeedTotal[]>`
      select 'clicks' as feed, program_id, sum(rows)::bigint as rows, sum(ids)::text as ids,
        '0' as amount_cents
      from (
        select program_id, count(*) as rows, sum(id) as ids
        from affiliate_click_events
        where ${feedRowsIn(sql, "clicks", request)}
        group by program_id
        union all
        select program_id, clicks, ids
        from dropped_clicks -- the reader has counted these clicks, or has their totals
        where dimension = 'hour'
          and ${programsIn(sql, request)}
      ) as click
      group by program_id
      union all
      select 'leads', program_id, count(*), sum(id)::text, '0'
      from affiliate_lead_events
      where ${feedRowsIn(sql, "leads", request)}
      group by program_id
      union all
      select 'sales', program_id, count(*), sum(id)::text, sum(amount_cents)::text
      from affiliate_sale_events
      where ${feedRowsIn(sql, "sales", request)}
      group by program_id
    `,
  )
