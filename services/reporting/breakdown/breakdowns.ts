import type { Fragment, Transaction } from "../../../lib/db/database"
import type { By } from "../contract"

const SUMMED = ["clicks", "leads", "conversions", "revenue_cents", "commission_cents"]

/** What says each dimension, in events and in commissions alike. */
export const COLUMNS = {
  partner: "partner_id",
  link: "link_id",
  country: "geo_country",
  device: "device_type",
  browser: "browser_name",
  referrer: "referrer_host",
  sub_id: "sub_id",
} as const satisfies Record<By, string>

const DIMENSION_COLUMNS = Object.values(COLUMNS)

/** The columns by which events are counted. */
export const counted = (sql: Transaction) =>
  sql([
    "program_id",
    "timestamp",
    "event_type",
    "converts",
    "currency",
    "amount_cents",
    ...DIMENSION_COLUMNS,
  ])

/** What events count for. `events` names a table, or what else has these columns. */
export const eventFacts = (sql: Transaction, events: Fragment) => sql`
  select
    program_id, (timestamp at time zone 'UTC')::date as day, coalesce(currency, '') as currency,
    (event_type = 'click')::int as clicks,
    (event_type = 'lead')::int as leads,
    converts::int as conversions,
    coalesce(amount_cents, 0) as revenue_cents,
    0 as commission_cents,
    ${sql(DIMENSION_COLUMNS)}
  from ${events}
`

/** The same of commissions. */
export const commissionFacts = (sql: Transaction, commissions: Fragment) => sql`
  select
    program_id, (created_at at time zone 'UTC')::date as day, currency,
    0 as clicks, 0 as leads, 0 as conversions, 0 as revenue_cents,
    amount_cents as commission_cents,
    ${sql(DIMENSION_COLUMNS)}
  from ${commissions}
`

/** The sums of facts by day, under each value that they have; '' where they have none. */
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
    ) as value, -- one of them: the others are null in its set
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

/** The command that adds facts to the sums that are kept. */
export const addUp = (sql: Transaction, facts: Fragment) => sql`
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
