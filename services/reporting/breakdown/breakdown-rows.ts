import type { Fragment, Transaction } from "../../../lib/db/database"
import { decimal, major } from "../../../lib/money"
import type { BreakdownQuery, BreakdownRow, By } from "../contract"
import { isOfType } from "../events/events"
import { type Edge, partsOf, type Range } from "../periods/range"
import { startOf } from "../periods/time"
import { KEPT_FROM } from "../retention/dropped-clicks"
import { COLUMNS, commissionFacts, eventFacts } from "./breakdowns"

export type Wanted = Range & { program_id: number; by: By; currency: string }

/** Of these values only, both included; as the database has them, where '' is none. */
type Between = { first: string; last: string }

/** A page of a breakdown, and of how many rows. Rows that are equal come in the order of values. */
export async function readPage(
  sql: Transaction,
  wanted: Wanted,
  { sort = "clicks", order = "desc" }: Pick<BreakdownQuery, "sort" | "order">,
  { offset, limit }: { offset: number; limit: number },
) {
  const direction = order === "asc" ? sql`asc` : sql`desc`
  const sorted = sql`order by ${columnOf(sql, sort)} ${direction}, value`
  const found = await sql<(Partial<ValueRow> & { total: number })[]>`
    with breakdown as (${rowsByValue(sql, wanted)})
    select total, page.*
    from (select count(*) as total from breakdown) as counted
    left join ( -- a page beyond the end has its total, too
      select * from breakdown ${sorted} limit ${limit} offset ${offset}
    ) as page on true
    ${sorted}
  `
  const rows = found.filter((row): row is ValueRow & { total: number } => row.value != null)
  return { rows: await withOthers(sql, wanted, rows), total: found[0]?.total ?? 0 }
}

/** The rows after a value, in the order of values. `last` is up to where; null: up to the end. */
export async function readAfter(
  sql: Transaction,
  wanted: Wanted,
  after: string | null,
  limit: number,
) {
  await inOrderOfValues(sql)
  const [place] = await sql<[{ first: string; last: string; values: number } | undefined]>`
    select min(value) as first, max(value) as last, count(*) as values
    from (
      select distinct value
      from (${daysAndEdges(sql, wanted)}) as part
      ${after === null ? sql`` : sql`where value > ${after}`}
      order by value
      limit ${limit}
    ) as page
    having count(*) > 0
  `
  if (!place) return { rows: [], last: null }

  const rows = await sql<ValueRow[]>`${rowsByValue(sql, wanted, place)} order by value`
  const last = place.values < limit ? null : place.last
  return { rows: await withOthers(sql, wanted, rows), last }
}

/**
 * By the key, which begins with the value. The planner, who does not know how many values there are,
 * would rather read and sort all that come after.
 */
const inOrderOfValues = (sql: Transaction) => sql`
  select set_config('enable_sort', 'off', true), set_config('enable_hashagg', 'off', true)
`

/** What rows are sorted by. */
function columnOf(sql: Transaction, sort: NonNullable<BreakdownQuery["sort"]>): Fragment {
  if (sort === "conversionRate") return sql`coalesce(conversions::numeric / nullif(clicks, 0), 0)`
  if (sort === "revenue") return sql`revenue_cents`
  if (sort === "commission") return sql`commission_cents`
  return sql`${sql(sort)}`
}

type ValueRow = {
  value: string
  clicks: number
  leads: number
  conversions: number
  revenue_cents: string // sums may leave the safe integers
  commission_cents: string
}
type Other = Pick<ValueRow, "value" | "revenue_cents" | "commission_cents"> & { currency: string }

/** What is read of whole days, and of the ragged edges is counted now, value by value. */
const rowsByValue = (sql: Transaction, wanted: Wanted, between?: Between) => sql`
  select
    value,
    sum(clicks)::bigint as clicks, sum(leads)::bigint as leads,
    sum(conversions)::bigint as conversions,
    coalesce(sum(revenue_cents) filter (where currency = ${wanted.currency}), 0)
      as revenue_cents,
    coalesce(sum(commission_cents) filter (where currency = ${wanted.currency}), 0)
      as commission_cents
  from (${daysAndEdges(sql, wanted)}) as part
  ${between ? sql`where value between ${between.first} and ${between.last}` : sql``}
  group by value
  having bool_or( -- one sum would add numerics for every row, and most have no money
    clicks > 0 or leads > 0 or conversions > 0 or revenue_cents > 0 or commission_cents > 0
  )
`

/** Rows with the money of other currencies: of so few, it is looked for apart. */
async function withOthers(sql: Transaction, wanted: Wanted, rows: ValueRow[]) {
  const others = await sql<Other[]>`
    select
      value, currency, sum(revenue_cents) as revenue_cents,
      sum(commission_cents) as commission_cents
    from (${daysAndEdges(sql, wanted)}) as part
    where value = any (${rows.map(row => row.value)}::text[])
      and currency not in ('', ${wanted.currency})
    group by value, currency
    having sum(revenue_cents + commission_cents) > 0
    order by value, currency
  `
  const othersOf = Map.groupBy(others, other => other.value)
  return rows.map(row => rowOf(wanted, row, othersOf.get(row.value) ?? []))
}

function daysAndEdges(sql: Transaction, wanted: Wanted) {
  const { days, edges } = partsOf(wanted)
  const whole = sql`
    select value, currency, clicks, leads, conversions, revenue_cents, commission_cents
    from daily_breakdown
    where program_id = ${wanted.program_id} and dimension = ${wanted.by}
      and day between ${days?.first ?? "infinity"} and ${days?.last ?? "-infinity"}
  `
  return edges.reduce((all, edge) => sql`${all} union all ${edgeOf(sql, wanted, edge)}`, whole)
}

/** Clicks that retention dropped are counted with the day that begins in the edge. */
function edgeOf(sql: Transaction, wanted: Wanted, { day, from, to }: Edge) {
  const { program_id, by } = wanted
  const events = sql`
    events
    where program_id = ${program_id} and timestamp between ${from} and ${to}
      ${isOfType(null)}
  `
  const commissions = sql`
    commissions where program_id = ${program_id} and created_at between ${from} and ${to}
  `
  const facts = sql`
    ${eventFacts(sql, events)} union all ${commissionFacts(sql, commissions)}
  `
  return sql`
    select
      coalesce(${sql(COLUMNS[by])}::text, '') as value, currency, clicks, leads, conversions,
      revenue_cents, commission_cents
    from (${facts}) as edge
    union all
    select value, currency, clicks, 0, 0, 0, 0
    from daily_breakdown
    where program_id = ${program_id} and dimension = ${by} and day = ${day}
      and ${from === startOf(day)} and day < ${KEPT_FROM}
  `
}

function rowOf({ by, currency }: Wanted, row: ValueRow, others: Other[]): BreakdownRow {
  const { value, clicks, leads, conversions } = row
  return {
    value: value === "" ? null : by === "partner" || by === "link" ? Number(value) : value,
    label: null,
    clicks,
    leads,
    conversions,
    ...majors(row, currency),
    conversionRate: decimal(BigInt(conversions) * 100n, BigInt(clicks), 2),
    otherCurrencies: others.map(other => ({
      currency: other.currency,
      ...majors(other, other.currency),
    })),
  }
}

const majors = (sums: Pick<ValueRow, "revenue_cents" | "commission_cents">, currency: string) => ({
  revenue: major(BigInt(sums.revenue_cents), currency),
  commission: major(BigInt(sums.commission_cents), currency),
})
