import type { Columns } from "../../../lib/db/columns"
import type { Fragment, Transaction } from "../../../lib/db/database"
import type { Range } from "../../../lib/range"
import { sql } from "../db"
import { countsAtEdges, isOfProgram, moneyAtEdges, withEdges } from "../events/edges"
import { splitIntoDays } from "../periods/range"

/** Counts of one day. `day` null: the sum of several days. */
export type Counts = {
  day: string | null
  clicks: number
  leads: number
  sales: number
  conversions: number
  partners: number
}

/**
 * Money in cents, as text, since sums may exceed the safe integers. `day` null: of several days.
 */
export type Money = {
  day: string | null
  currency: string
  revenue_cents: string
  commission_cents: string
}

export type Activity = { counts: Columns<Counts>; money: Columns<Money> }

/**
 * The programs to read, and how. `isByDay`: each day of a single program separately, with money in
 * other currencies added up. Otherwise the sums of the range.
 */
export type ProgramSelection = { program_ids: number[]; currency: string; isByDay: boolean }

/** Returns the activity in a range. Days without activity may be missing. */
export async function readActivity(
  sql: Transaction,
  selection: ProgramSelection,
  range: Range,
): Promise<Activity> {
  const [{ activity }] = await sql<[{ activity: Activity }]>`
    select ${selectActivity(selection, range)} as activity
  `
  return activity
}

/** An expression that returns the activity in a range as JSON. */
export function selectActivity(selection: ProgramSelection, range: Range): Fragment {
  const { days, edges } = splitIntoDays(range)
  const isRagged = edges.length > 0
  return sql`(
    ${isRagged ? withEdges(selection.program_ids, edges) : sql``}
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
          ${countsOf(selection, days)}
          ${isRagged ? sql`union all ${countsAtEdges(selection.program_ids)}` : sql``}
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
          ${moneyOf(selection, days)}
          ${isRagged ? sql`union all ${moneyAtEdges(selection.program_ids)}` : sql``}
        ) as money
      )
    )
  )`
}

type Days = ReturnType<typeof splitIntoDays>["days"]

function countsOf({ program_ids, isByDay }: ProgramSelection, days: Days) {
  const { day, sum, grouped } = aggregation(isByDay)
  return sql`
    select
      ${day} as day,
      ${sum("clicks")}::bigint as clicks,
      ${sum("leads")}::bigint as leads,
      ${sum("sales")}::bigint as sales,
      ${sum("conversions")}::bigint as conversions,
      ${sum("partners")}::bigint as partners
    from daily
    where ${isOfProgram(program_ids)} and ${isIn(days)}
    ${grouped}
  `
}

const moneyOf = ({ program_ids, currency, isByDay }: ProgramSelection, days: Days) => sql`
  select
    case when ${isByDay} and currency = ${currency} then day end as day,
    currency,
    sum(revenue_cents)::text as revenue_cents,
    sum(commission_cents)::text as commission_cents
  from daily_money
  where ${isOfProgram(program_ids)} and ${isIn(days)}
  group by 1, currency
`

/** PostgreSQL adds up unless days are needed: rows for each day take both sides longer. */
const aggregation = (isByDay: boolean) =>
  isByDay
    ? { day: sql`day`, sum: (column: string) => sql`${sql(column)}`, grouped: sql`` }
    : {
        day: sql`null::date`,
        sum: (column: string) => sql`sum(${sql(column)})`,
        grouped: sql`group by program_id`, // without it, no rows would give one row of nulls
      }

const isIn = (days: Days) => sql`
  day between ${days?.first ?? "infinity"} and ${days?.last ?? "-infinity"}
`
