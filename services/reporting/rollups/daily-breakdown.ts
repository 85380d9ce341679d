import type { Database, Fragment, Transaction } from "../../../lib/db/database"
import type { By } from "../contract"

const SUMMED = ["clicks", "leads", "conversions", "revenue_cents", "commission_cents"]

/** The column of each dimension, in events and in commissions alike. */
export const DIMENSION_COLUMNS = {
  partner: "partner_id",
  link: "link_id",
  country: "geo_country",
  device: "device_type",
  browser: "browser_name",
  referrer: "referrer_host",
  sub_id: "sub_id",
} as const satisfies Record<By, string>

const VALUE_COLUMNS = Object.values(DIMENSION_COLUMNS)

/** The columns of events that eventFacts reads. */
export const factColumns = (sql: Transaction) =>
  sql([
    "program_id",
    "timestamp",
    "event_type",
    "converts",
    "currency",
    "amount_cents",
    ...VALUE_COLUMNS,
  ])

/**
 * Selects what each event adds to the breakdowns. `events` is a table, or another relation with the
 * columns of factColumns.
 */
export const eventFacts = (sql: Database | Transaction, events: Fragment) => sql`
  select
    program_id, (timestamp at time zone 'UTC')::date as day, coalesce(currency, '') as currency,
    (event_type = 'click')::int as clicks,
    (event_type = 'lead')::int as leads,
    converts::int as conversions,
    coalesce(amount_cents, 0) as revenue_cents,
    0 as commission_cents,
    ${sql(VALUE_COLUMNS)}
  from ${events}
`

/** Selects what each commission adds to the breakdowns. `commissions` is a relation. */
export const commissionFacts = (sql: Database | Transaction, commissions: Fragment) => sql`
  select
    program_id, (created_at at time zone 'UTC')::date as day, currency,
    0 as clicks, 0 as leads, 0 as conversions, 0 as revenue_cents,
    amount_cents as commission_cents,
    ${sql(VALUE_COLUMNS)}
  from ${commissions}
`

/** Selects the sums of facts by day and by each value of each dimension; '' means no value. */
export const sumsByDay = (sql: Transaction, facts: Fragment) => sql`
  select
    program_id, day, currency,
    case 0
      when grouping(partner_id) then 'partner'
      when grouping(link_id) then 'link'
      when grouping(geo_country) then 'country'
      when grouping(device_type) then 'device'
      when grouping(browser_name) then 'browser'
      when grouping(referrer_host) then 'referrer'
      when grouping(sub_id) then 'sub_id'
    end as dimension,
    coalesce(
      partner_id::text, link_id::text, geo_country, device_type, browser_name, referrer_host,
      sub_id, ''
    ) as value, -- in each grouping set, the other columns are null
    sum(clicks)::bigint as clicks, sum(leads)::bigint as leads,
    sum(conversions)::bigint as conversions,
    sum(revenue_cents) as revenue_cents, sum(commission_cents) as commission_cents
  from (${facts}) as fact
  group by
    program_id, day, currency,
    grouping sets (
      (partner_id), (link_id), (geo_country), (device_type), (browser_name), (referrer_host),
      (sub_id)
    )
`

/** The insert that adds facts to daily_breakdown. */
export const addToBreakdown = (sql: Transaction, facts: Fragment) => sql`
  insert into daily_breakdown as kept (
    program_id, dimension, value, day, currency, ${sql(SUMMED)}
  )
  select program_id, dimension, value, day, currency, ${sql(SUMMED)}
  from (${sumsByDay(sql, facts)}) as new
  order by program_id, dimension, value, day, currency
  on conflict (program_id, dimension, value, day, currency) do update
  set
    clicks = kept.clicks + excluded.clicks,
    leads = kept.leads + excluded.leads,
    conversions = kept.conversions + excluded.conversions,
    revenue_cents = kept.revenue_cents + excluded.revenue_cents,
    commission_cents = kept.commission_cents + excluded.commission_cents
`
