import type { Columns } from "../../../lib/db/columns"
import type { Fragment, Transaction } from "../../../lib/db/database"
import { sql } from "../db"
import { countsAtEdges, isOf, moneyAtEdges, withEdges } from "../events/edges"
import { partsOf, type Range } from "../periods/range"

/** `day` null: of several days, added up. */
export type Counts = {
  day: string | null
  clicks: number
  leads: number
  sales: number
  conversions: number
  partners: number
}

/** In cents, as texts: sums may leave the safe integers. `day` null: of several days, added up. */
export type Money = {
  day: string | null
  currency: string
  revenue_cents: string
  commission_cents: string
}

export type Activity = { counts: Columns<Counts>; money: Columns<Money> }

/**
 * Programs, of which a range is added up; or one of them, whose days are told as they stand, but of
 * money only that in its own currency.
 */
export type Whose = { program_ids: number[]; currency: string; is_by_day: boolean }

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
export function activityIn(whose: Whose, range: Range): Fragment {
  const { days, edges } = partsOf(range)
  const isRagged = edges.length > 0
  return sql`(
    ${isRagged ? withEdges(whose.program_ids, edges) : sql``}
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
          ${countsOf(whose, days)}
          ${isRagged ? sql`union all ${countsAtEdges(whose.program_ids)}` : sql``}
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
          ${moneyOf(whose, days)}
          ${isRagged ? sql`union all ${moneyAtEdges(whose.program_ids)}` : sql``}
        ) as money
      )
    )
  )`
}

type Days = ReturnType<typeof partsOf>["days"]

function countsOf({ program_ids, is_by_day }: Whose, days: Days) {
  const { day, sum, grouped } = summing(is_by_day)
  return sql`
    select
      ${day} as day,
      ${sum("clicks")}::bigint as clicks,
      ${sum("leads")}::bigint as leads,
      ${sum("sales")}::bigint as sales,
      ${sum("conversions")}::bigint as conversions,
      ${sum("partners")}::bigint as partners
    from daily
    where ${isOf(program_ids)} and ${isIn(days)}
    ${grouped}
  `
}

const moneyOf = ({ program_ids, currency, is_by_day }: Whose, days: Days) => sql`
  select
    case when ${is_by_day} and currency = ${currency} then day end as day,
    currency,
    sum(revenue_cents)::text as revenue_cents,
    sum(commission_cents)::text as commission_cents
  from daily_money
  where ${isOf(program_ids)} and ${isIn(days)}
  group by 1, currency
`

/** Where no day is asked for, PostgreSQL adds up: to tell days takes both sides longer. */
const summing = (is_by_day: boolean) =>
  is_by_day
    ? { day: sql`day`, sum: (column: string) => sql`${sql(column)}`, grouped: sql`` }
    : {
        day: sql`null::date`,
        sum: (column: string) => sql`sum(${sql(column)})`,
        grouped: sql`group by program_id`, // without it, no rows would add up to one of nulls
      }

const isIn = (days: Days) => sql`
  day between ${days?.first ?? "infinity"} and ${days?.last ?? "-infinity"}
`
