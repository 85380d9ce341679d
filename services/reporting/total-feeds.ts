import type { RequestOf } from "../../lib/bus/operation"
import { type FeedTotal, inSnapshot } from "../../lib/reconcile"
import type * as contract from "./contract"
import { sql } from "./db"
import { KEPT_FROM } from "./retention/dropped-clicks"

type Request = RequestOf<typeof contract.totalFeeds>

/** Reads totals and cursors in one snapshot. */
export const totalFeeds = ({ after_id, limit }: Request) =>
  inSnapshot(sql, async sql => {
    const totals = await sql<FeedTotal[]>`
      with total as (
        select
          case event_type when 'click' then 'clicks' when 'lead' then 'leads' else 'sales' end
            as feed,
          program_id, count(*) as rows, sum(id) as ids,
          coalesce(sum(amount_cents), 0) as amount_cents
        from events
        where program_id > ${after_id}
          and (event_type <> 'click' or timestamp >= ${KEPT_FROM})
        group by event_type, program_id
        union all
        select 'clicks', program_id, sum(clicks), sum(ids), 0
        from dropped_clicks
        where program_id > ${after_id} and dimension = 'hour'
        group by program_id
        union all
        select 'partners', program_id, count(*), sum(id), 0
        from partners
        where program_id > ${after_id}
        group by program_id
        union all
        select 'commissions', program_id, count(*), sum(id), sum(amount_cents)
        from commissions
        where program_id > ${after_id}
        group by program_id
      ),
      part as (
        select distinct program_id
        from total
        order by program_id
        limit ${limit}
      )
      select
        feed, program_id, sum(rows)::bigint as rows, sum(ids)::text as ids,
        sum(amount_cents)::text as amount_cents
      from total
      where program_id in (select program_id from part)
      group by feed, program_id
      order by program_id, feed
    `
    const cursors = await sql<{ feed: string; done: string | null }[]>`
      select
        feed,
        case jsonb_typeof(cursor -> 'target') when 'null' then cursor ->> 'done' end as done
      from cursors
    `
    return { totals, cursors }
  })
