import type { Columns } from "../../lib/columns"
import type { Fragment, Transaction } from "../../lib/db"
import { sql } from "./db"
import { KEPT_FROM } from "./dropped-clicks"
import { countEnds, type EventType, isOfType } from "./events"
import { type Edge, hoursOf, partsOf, type Range } from "./range"

export type Counts = {
  day: string
  clicks: number
  leads: number
  sales: number
  conversions: number
  partners: number
}

/** In cents, as texts: sums may leave the safe integers. */
export type Money = {
  day: string
  currency: string
  revenue_cents: string
  commission_cents: string
}

export type Activity = { counts: Columns<Counts>; money: Columns<Money> }

/** Programs, of which a range is added up; or one of them, whose days are told as they stand. */
export type Whose = { program_ids: number[]; is_by_day: boolean }

/** What happened in a range. Days on which nothing did may be left out. */
export async function readActivity(
  sql: Transaction,
  whose: Whose,
  range: Range,
): Promise<Activity> {
  const [{ activity }] = await sql<[{ activity: Activity }]>`
    select ${activityIn(whose, range)} as activity
  `
  return activity
}

/** The same in JSON, as a part of a statement. */
export const activityIn = (whose: Whose, range: Range): Fragment => sql`
  json_build_object(
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
      from (${countsOf(whose, range)}) as counts
    ),
    'money',
    (
      select json_build_object(
        'day', array_agg(day),
        'currency', array_agg(currency),
        'revenue_cents', array_agg(revenue_cents),
        'commission_cents', array_agg(commission_cents)
      )
      from (${moneyOf(whose, range)}) as money
    )
  )
`

function countsOf({ program_ids, is_by_day }: Whose, range: Range) {
  const { days, edges } = partsOf(range)
  const { day, sum, groupedBy } = summing(is_by_day)
  const whole = sql`
    select
      ${day} as day,
      ${sum("clicks")}::bigint as clicks,
      ${sum("leads")}::bigint as leads,
      ${sum("sales")}::bigint as sales,
      ${sum("conversions")}::bigint as conversions,
      ${sum("partners")}::bigint as partners
    from daily
    where ${isOf(program_ids)}
      and day between ${days?.first ?? "infinity"} and ${days?.last ?? "-infinity"}
    ${groupedBy("program_id")}
  `
  return edges.reduce((all, edge) => sql`${all} union all ${countEdge(program_ids, edge)}`, whole)
}

/** Where no day is asked for, PostgreSQL adds up: to tell days takes both sides longer. */
const summing = (is_by_day: boolean) =>
  is_by_day
    ? { day: sql`day`, sum: (column: string) => sql`${sql(column)}`, groupedBy: () => sql`` }
    : {
        day: sql`max(day)`,
        sum: (column: string) => sql`sum(${sql(column)})`,
        groupedBy: (key: string) => sql`group by ${sql(key)}`,
      }

/** Clicks that retention dropped are counted with the hour in which they were. */
function countEdge(program_ids: number[], { day, from, to }: Edge) {
  const { hours, ends } = hoursOf({ from, to })
  const atEnds = (event_type: EventType) => countEnds(sql, { program_ids, event_type }, ends)
  const isWhole = sql`hour between ${hours?.from ?? "infinity"} and ${hours?.to ?? "-infinity"}`
  return sql`
    select
      ${day}::date as day,
      in_hours.clicks + clicks_at_ends as clicks,
      in_hours.leads + leads_at_ends as leads,
      in_hours.sales + sales_at_ends as sales,
      conversions,
      partners
    from
      (
        select
          coalesce(sum(clicks) filter (where ${isWhole} or hour < ${KEPT_FROM}), 0)::bigint
            as clicks,
          coalesce(sum(leads) filter (where ${isWhole}), 0)::bigint as leads,
          coalesce(sum(sales) filter (where ${isWhole}), 0)::bigint as sales
        from hourly
        where ${isOf(program_ids)} and hour between ${from} and ${to}
      ) as in_hours,
      (${atEnds("click")}) as of_clicks (clicks_at_ends),
      (${atEnds("lead")}) as of_leads (leads_at_ends),
      (${atEnds("conversion")}) as of_sales (sales_at_ends),
      (
        select count(*) filter (where converts) as conversions
        from events
        where ${isOf(program_ids)} and timestamp between ${from} and ${to}
          ${isOfType(sql, "conversion")}
      ) as of_conversions,
      (
        select count(*) as partners
        from partners
        where ${isOf(program_ids)} and created_at between ${from} and ${to}
      ) as of_partners
  `
}

const isOf = (program_ids: number[]) =>
  program_ids.length === 1
    ? sql`program_id = ${program_ids[0] as number}`
    : sql`program_id = any (${program_ids}::bigint[])`

function moneyOf({ program_ids, is_by_day }: Whose, range: Range) {
  const { days, edges } = partsOf(range)
  const { day, sum, groupedBy } = summing(is_by_day)
  const whole = sql`
    select
      ${day} as day,
      currency,
      ${sum("revenue_cents")}::text as revenue_cents,
      ${sum("commission_cents")}::text as commission_cents
    from daily_money
    where ${isOf(program_ids)}
      and day between ${days?.first ?? "infinity"} and ${days?.last ?? "-infinity"}
    ${groupedBy("currency")}
  `
  return edges.reduce((all, edge) => sql`${all} union all ${addUpEdge(program_ids, edge)}`, whole)
}

const addUpEdge = (program_ids: number[], { day, from, to }: Edge) => sql`
  select ${day}::date, currency, sum(amount_cents)::text, '0'
  from events
  where ${isOf(program_ids)} and timestamp between ${from} and ${to}
    ${isOfType(sql, "conversion")}
  group by currency
  union all
  select ${day}::date, currency, '0', sum(amount_cents)::text
  from commissions
  where ${isOf(program_ids)} and created_at between ${from} and ${to}
  group by currency
`
