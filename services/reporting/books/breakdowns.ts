import type { Invariant } from "../../../lib/reconcile"
import { KEPT_FROM } from "../retention/dropped-clicks"
import { commissionFacts, eventFacts, sumsByDay } from "../rollups/daily-breakdown"

/** Breakdowns equal the sums of events, dropped clicks and commissions. */
export const BREAKDOWNS: Invariant[] = [
  {
    invariant: "Each day's breakdown is the sum of its events and commissions",
    table: "daily_breakdown",
    violations: sql => sql`
      with counted as (
        ${sumsByDay(
          sql,
          sql`
            ${eventFacts(sql, sql`events where event_type <> 'click' or timestamp >= ${KEPT_FROM}`)}
            union all
            ${commissionFacts(sql, sql`commissions`)}
          `,
        )}
      ),
      dropped as (
        select
          program_id, dimension, value, (starts_at at time zone 'UTC')::date as day,
          '' as currency, clicks
        from dropped_clicks
        where dimension <> 'hour'
      )
      select
        format('Program %s on %s, by %s %L', program_id, day, dimension, value),
        format('has %s %s stored, %s expected (%s).', currency, stored, expected,
          'clicks, leads, conversions, revenue, commission')
      from daily_breakdown
      full join counted using (program_id, dimension, value, day, currency)
      full join dropped using (program_id, dimension, value, day, currency)
      cross join lateral (
        select
          (
            coalesce(daily_breakdown.clicks, 0), coalesce(daily_breakdown.leads, 0),
            coalesce(daily_breakdown.conversions, 0), coalesce(daily_breakdown.revenue_cents, 0),
            coalesce(daily_breakdown.commission_cents, 0)
          ) as stored,
          (
            coalesce(dropped.clicks, counted.clicks, 0), coalesce(counted.leads, 0),
            coalesce(counted.conversions, 0), coalesce(counted.revenue_cents, 0),
            coalesce(counted.commission_cents, 0)
          ) as expected
      ) as sums
      where stored <> expected
      union all
      select
        format('Program %s on %s, by %s %L', program_id, day, dimension, value),
        format('has %s sales stored, %s expected.', coalesce(stored.sales, 0),
          coalesce(sold.sales, 0))
      from daily_sales as stored
      full join (
        select
          program_id, dimension, value, (timestamp at time zone 'UTC')::date as day,
          count(*) as sales
        from events
        cross join lateral (
          values
            ('partner', partner_id::text), ('link', link_id::text),
            ('country', coalesce(geo_country, ''))
        ) as counted (dimension, value)
        where event_type = 'conversion'
        group by program_id, dimension, value, day
      ) as sold using (program_id, dimension, value, day)
      where coalesce(stored.sales, 0) <> coalesce(sold.sales, 0)
    `,
  },
  {
    invariant: "Each commission has the breakdown values of its sale",
    table: "commissions",
    violations: sql => sql`
      select
        format('Commission %s', commission.id),
        format('does not have the breakdown values of its sale %s.', sale.id)
      from commissions as commission
      join events as sale
        on sale.id = commission.sale_id
        and sale.event_type = 'conversion'
      where (
          commission.link_id, commission.geo_country, commission.device_type,
          commission.browser_name, commission.referrer_host, commission.sub_id
        ) is distinct from (
          sale.link_id, sale.geo_country, sale.device_type, sale.browser_name,
          sale.referrer_host, sale.sub_id
        )
    `,
  },
]
