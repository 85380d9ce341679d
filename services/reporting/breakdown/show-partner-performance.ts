import type { ReplyOf, RequestOf } from "../../../lib/bus/operation"
import type { Fragment } from "../../../lib/db/database"
import type { Range } from "../../../lib/range"
import type * as contract from "../contract"
import { sql } from "../db"
import { catchUp } from "../freshness/catch-up"
import { readReportInOneStatement } from "../freshness/freshness"
import type { Activity } from "../performance/daily"
import { performanceOf } from "../performance/show-performance"
import { parsePeriod } from "../periods/period"
import { previousRange } from "../periods/range"
import { ALL_SOURCES } from "../sources"
import { selectDaysAndEdges } from "./days-and-edges"

type Request = RequestOf<typeof contract.showPartnerPerformance>
type Reply = ReplyOf<typeof contract.showPartnerPerformance>

/** Reads a program's breakdown by partner, as the performance of one of them. */
export async function showPartnerPerformance({ program, partner, query }: Request): Promise<Reply> {
  const periodAt = parsePeriod(query)
  const { reached, now } = await catchUp(ALL_SOURCES)
  const period = periodAt(now, program.created_at)
  const select = (range: Range) => selectPartnerActivity(program, partner, range)

  const { rows, applied_until } = await readReportInOneStatement<
    Record<"current" | "previous", Activity>
  >(
    ALL_SOURCES,
    reached,
    applied => sql`
      select
        ${applied},
        ${select(period)} as current,
        ${select(previousRange(period))} as previous
    `,
  )
  return { performance: performanceOf(rows[0], period, program.currency), applied_until }
}

/** An expression that returns the activity of a partner in a range as JSON, by day. */
function selectPartnerActivity(
  { id: program_id, currency }: Request["program"],
  { partner_id, created_at }: Request["partner"],
  range: Range,
): Fragment {
  const days = selectDaysAndEdges(sql, { program_id, by: "partner", ...range })
  return sql`(
    with part as (
      select day, currency, clicks, leads, conversions, revenue_cents, commission_cents
      from (${days}) as part
      where value = ${`${partner_id}`}
    )
    select json_build_object(
      'counts',
      (
        select json_build_object(
          'day', array_agg(day),
          'clicks', array_agg(clicks),
          'leads', array_agg(leads),
          'sales', array_agg(sales),
          'conversions', array_agg(conversions),
          'partners', array_agg(partners)
        )
        from (
          select
            day, sum(clicks)::bigint as clicks, sum(leads)::bigint as leads,
            sum(sales)::bigint as sales, sum(conversions)::bigint as conversions,
            sum(partners)::bigint as partners
          from (
            select day, clicks, leads, 0 as sales, conversions, 0 as partners
            from part
            union all
            select null, 0, 0, count(*), 0, 0 -- the days do not show them
            from events
            where program_id = ${program_id} and partner_id = ${partner_id}
              and event_type = 'conversion' and timestamp between ${range.from} and ${range.to}
            union all
            select (joined at time zone 'UTC')::date, 0, 0, 0, 0, 1
            from (select ${created_at}::timestamptz as joined) as partner
            where joined between ${range.from} and ${range.to}
          ) as counted
          group by day
        ) as counts
      ),
      'money',
      (
        select json_build_object(
          'day', array_agg(day),
          'currency', array_agg(currency),
          'revenue_cents', array_agg(revenue_cents),
          'commission_cents', array_agg(commission_cents)
        )
        from (
          select
            case when currency = ${currency} then day end as day,
            currency,
            sum(revenue_cents)::text as revenue_cents,
            sum(commission_cents)::text as commission_cents
          from part
          where currency <> ''
          group by 1, currency
        ) as money
      )
    )
  )`
}
