import type { Invariant } from "../../../lib/reconcile"
import { KEPT_FROM } from "../retention/dropped-clicks"

/** Rollups equal the sums of the rows that they summarize. */
export const ROLLUPS: Invariant[] = [
  {
    invariant: "Each day's rollup is the sum of its events",
    table: "daily",
    violations: sql => sql`
      select
        format('Program %s on %s', program_id, day),
        format('has %s stored, %s expected (clicks, leads, sales, conversions, partners).',
          stored, expected)
      from daily
      full join (
        select
          program_id,
          (timestamp at time zone 'UTC')::date as day,
          count(*) filter (where event_type = 'click') as clicks,
          count(*) filter (where event_type = 'lead') as leads,
          count(*) filter (where event_type = 'conversion') as sales,
          count(*) filter (where converts) as conversions
        from events
        where event_type <> 'click' or timestamp >= ${KEPT_FROM}
        group by 1, 2
      ) as event using (program_id, day)
      full join (
        select
          program_id, (starts_at at time zone 'UTC')::date as day, sum(clicks)::bigint as clicks
        from dropped_clicks
        where dimension = 'hour'
        group by 1, 2
      ) as dropped using (program_id, day)
      full join (
        select program_id, (created_at at time zone 'UTC')::date as day, count(*) as partners
        from partners
        group by 1, 2
      ) as partner using (program_id, day)
      cross join lateral (
        select
          (
            coalesce(daily.clicks, 0), coalesce(daily.leads, 0), coalesce(daily.sales, 0),
            coalesce(daily.conversions, 0), coalesce(daily.partners, 0)
          ) as stored,
          (
            coalesce(dropped.clicks, event.clicks, 0), coalesce(event.leads, 0),
            coalesce(event.sales, 0), coalesce(event.conversions, 0),
            coalesce(partner.partners, 0)
          ) as expected
      ) as sums
      where stored <> expected
    `,
  },
  {
    invariant: "Each hour's rollup is the sum of its events",
    table: "hourly",
    violations: sql => sql`
      select
        format('Program %s at %s', program_id, hour),
        format('has %s stored, %s expected (clicks, leads, sales).', stored, expected)
      from hourly
      full join (
        select
          program_id,
          date_trunc('hour', timestamp, 'UTC') as hour,
          count(*) filter (where event_type = 'click') as clicks,
          count(*) filter (where event_type = 'lead') as leads,
          count(*) filter (where event_type = 'conversion') as sales
        from events
        where event_type <> 'click' or timestamp >= ${KEPT_FROM}
        group by 1, 2
      ) as event using (program_id, hour)
      full join (
        select program_id, starts_at as hour, clicks
        from dropped_clicks
        where dimension = 'hour'
      ) as dropped using (program_id, hour)
      cross join lateral (
        select
          (
            coalesce(hourly.clicks, 0), coalesce(hourly.leads, 0), coalesce(hourly.sales, 0)
          ) as stored,
          (
            coalesce(dropped.clicks, event.clicks, 0), coalesce(event.leads, 0),
            coalesce(event.sales, 0)
          ) as expected
      ) as sums
      where stored <> expected
    `,
  },
  {
    invariant: "Each day's money is the sum of its sales and commissions",
    table: "daily_money",
    violations: sql => sql`
      select
        format('Program %s on %s', program_id, day),
        format('has %s %s stored, %s expected (revenue, commission).', currency, stored, expected)
      from daily_money
      full join (
        select
          program_id, (timestamp at time zone 'UTC')::date as day, currency,
          sum(amount_cents) as revenue_cents
        from events
        where event_type = 'conversion'
        group by 1, 2, 3
      ) as sale using (program_id, day, currency)
      full join (
        select
          program_id, (created_at at time zone 'UTC')::date as day, currency,
          sum(amount_cents) as commission_cents
        from commissions
        group by 1, 2, 3
      ) as earned using (program_id, day, currency)
      cross join lateral (
        select
          (
            coalesce(daily_money.revenue_cents, 0), coalesce(daily_money.commission_cents, 0)
          ) as stored,
          (coalesce(sale.revenue_cents, 0), coalesce(earned.commission_cents, 0)) as expected
      ) as sums
      where stored <> expected
    `,
  },
  {
    invariant: "Each conversion has the time of the sale that converted its customer",
    table: "conversions",
    violations: sql => sql`
      select
        format('Customer %s', customer_id),
        format('converted at %s, but the converting sale is at %s.',
          coalesce(converted_at::text, 'no time'), coalesce(sale.timestamp::text, 'no time'))
      from conversions
      full join (
        select customer_id, timestamp
        from events
        where converts
      ) as sale using (customer_id)
      where converted_at is distinct from sale.timestamp
    `,
  },
]
