import type { Program } from "./program"
import type { Database } from "./tributary"

/** The yardstick: the SQL one would write with only the tables of the owning services. */

export type Range = { dateFrom: string; dateTo: string }
export type Day = {
  date: string
  clicks: number
  leads: number
  conversions: number
  sales: number
  revenue_cents: number
  partners: number
  commission_cents: number
}

/** The days of a range, aggregated from the events. */
export const aggregate = (sql: Database, { id, currency }: Program, { dateFrom, dateTo }: Range) =>
  sql<Day[]>`
    select
      day::date::text as date,
      coalesce(clicks, 0) as clicks,
      coalesce(leads, 0) as leads,
      coalesce(conversions, 0) as conversions,
      coalesce(sales, 0) as sales,
      coalesce(revenue_cents, 0)::bigint as revenue_cents,
      coalesce(partners, 0) as partners,
      coalesce(commission_cents, 0)::bigint as commission_cents
    from generate_series(date_trunc('day', ${dateFrom}::timestamptz), ${dateTo}, '1 day') as day
    left join (
      select date_trunc('day', click_timestamp) as day, count(*) as clicks
      from tracking.affiliate_click_events
      where program_id = ${id} and not is_test
        and click_timestamp between ${dateFrom} and ${dateTo}
      group by 1
    ) as click using (day)
    left join (
      select date_trunc('day', lead_timestamp) as day, count(*) as leads
      from tracking.affiliate_lead_events
      where program_id = ${id} and not is_test
        and lead_timestamp between ${dateFrom} and ${dateTo}
      group by 1
    ) as lead using (day)
    left join (
      select
        date_trunc('day', sale_date) as day, count(*) as sales,
        count(*) filter (where converts) as conversions,
        sum(amount_cents) filter (where currency = ${currency}) as revenue_cents
      from tracking.affiliate_sale_events
      where program_id = ${id} and not is_test and state = 'complete'
        and sale_date between ${dateFrom} and ${dateTo}
      group by 1
    ) as sale using (day)
    left join (
      select date_trunc('day', created_at) as day, count(*) as partners
      from commissions.partner_programs
      where program_id = ${id} and version > 0 and created_at between ${dateFrom} and ${dateTo}
      group by 1
    ) as partner using (day)
    left join (
      select date_trunc('day', created_at) as day, sum(amount_cents) as commission_cents
      from commissions.commissions
      where program_id = ${id} and currency = ${currency}
        and created_at between ${dateFrom} and ${dateTo}
      group by 1
    ) as commission using (day)
    order by day
  `

export type Listing = { event_type?: string; from?: string; to?: string }

const merged = (sql: Database, { id }: Program, { event_type, from, to }: Listing) => {
  const between = (column: string) => sql`
    program_id = ${id} and not is_test
    ${from ? sql`and ${sql(column)} >= ${from}` : sql``}
    ${to ? sql`and ${sql(column)} <= ${to}` : sql``}
  `
  const tables = {
    click: sql`
      select
        id, 'click' as event_type, click_timestamp as timestamp, click_id, session_id, page_url,
        referrer_url, geo_country, device_type, device_os, browser_name, null as customer_key,
        null::bigint as amount_cents, null as currency, null as sale_type,
        null as payment_status, null as processor_event_id, null::boolean as is_recurring, created_at
      from tracking.affiliate_click_events
      where ${between("click_timestamp")}
    `,
    lead: sql`
      select
        id, 'lead', lead_timestamp, click_id, session_id, page_url, null, null, null, null, null,
        customer_key, null, null, null, null, null, null, created_at
      from tracking.affiliate_lead_events
      where ${between("lead_timestamp")}
    `,
    conversion: sql`
      select
        id, 'conversion', sale_date, click_id, null, null, null, null, null, null, null, null,
        amount_cents, currency, sale_type, payment_status, transaction_id, is_recurring, created_at
      from tracking.affiliate_sale_events
      where ${between("sale_date")} and state = 'complete'
    `,
  }
  const { click, lead, conversion } = tables
  if (event_type === "click") return click
  return sql`${click} ${event_type ? sql`and false` : sql``}
    union all ${lead} ${event_type === "conversion" ? sql`and false` : sql``}
    union all ${conversion} ${event_type === "lead" ? sql`and false` : sql``}`
}

export type Event = { id: number; event_type: string }

/** One page of the events of three tables, sorted by time, and their total. */
export async function page(
  sql: Database,
  program: Program,
  listing: Listing,
  [number, size]: [number: number, size: number],
) {
  const events = await sql<Event[]>`
    select *
    from (${merged(sql, program, listing)}) as event
    order by timestamp desc, event_type desc, id desc
    limit ${size}
    offset ${(number - 1) * size}
  `
  const [{ total }] = await sql<[{ total: number }]>`
    select count(*) as total
    from (${merged(sql, program, listing)}) as event
  `
  return { events, total }
}

/** Runs `work` with the indexes that help the naive SQL most: a program's events by time. */
export async function withIndexes<Result>(sql: Database, work: () => Promise<Result>) {
  await sql`create index naive_clicks on tracking.affiliate_click_events (program_id, click_timestamp)`
  await sql`create index naive_leads on tracking.affiliate_lead_events (program_id, lead_timestamp)`
  await sql`create index naive_sales on tracking.affiliate_sale_events (program_id, sale_date)`
  const result = await work()
  await sql`drop index tracking.naive_clicks, tracking.naive_leads, tracking.naive_sales`
  return result
}
