import type { PendingQuery, Row } from "postgres"
import type { Transaction } from "../../lib/db"
import { decimal, major } from "../../lib/money"
import { COLUMNS, commissionFacts, eventFacts } from "./breakdowns"
import type { BreakdownQuery, BreakdownRow, By } from "./contract"
import { partsOf, type Range } from "./range"

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
  const sorted = sql`order by ${SORTED_BY(sql)[sort]} ${order === "asc" ? sql`asc` : sql`desc`}, value`
  const found = await sql<(Partial<Summed> & { total: number })[]>`
    with summed as (${summed(sql, wanted)})
    select total, page.*
    from (select count(*) as total from summed) as counted
    left join (select * from summed ${sorted} limit ${limit} offset ${offset}) as page on true
    ${sorted}
  `
  const rows = found.filter((row): row is Summed & { total: number } => row.value != null)
  return { rows: rows.map(rowOf(wanted)), total: found[0]?.total ?? 0 }
}

/** The rows after a value, in the order of values. `last` is up to where; null: up to the end. */
export async function readAfter(
  sql: Transaction,
  wanted: Wanted,
  after: string | null,
  limit: number,
) {
  const [place] = await sql<[{ first: string; last: string; values: number } | undefined]>`
    select min(value) as first, max(value) as last, count(*) as values
    from (
      select distinct value
      from (${sums(sql, wanted)}) as sums
      where ${after}::text is null or value > ${after}
      order by value
      limit ${limit}
    ) as page
    having count(*) > 0
  `
  if (!place) return { rows: [], last: null }

  const rows = await sql<Summed[]>`${summed(sql, wanted, place)} order by value`
  return { rows: rows.map(rowOf(wanted)), last: place.values < limit ? null : place.last }
}

type Summed = {
  value: string
  clicks: number
  leads: number
  conversions: number
  revenue_cents: string // sums may leave the safe integers
  commission_cents: string
  others: { currency: string; revenue_cents: string; commission_cents: string }[] | null
}

/** What is read of whole days, and of the ragged edges is counted now, value by value. */
const summed = (sql: Transaction, { currency, ...wanted }: Wanted, between?: Between) => sql`
  select
    value,
    sum(clicks)::bigint as clicks, sum(leads)::bigint as leads,
    sum(conversions)::bigint as conversions,
    coalesce(sum(revenue_cents) filter (where currency = ${currency}), 0) as revenue_cents,
    coalesce(sum(commission_cents) filter (where currency = ${currency}), 0) as commission_cents,
    jsonb_agg(
      jsonb_build_object(
        'currency', currency, 'revenue_cents', revenue_cents::text,
        'commission_cents', commission_cents::text
      )
      order by currency
    ) filter (where currency <> ${currency} and revenue_cents + commission_cents > 0) as others
  from (
    select
      value, currency, sum(clicks) as clicks, sum(leads) as leads,
      sum(conversions) as conversions, sum(revenue_cents) as revenue_cents,
      sum(commission_cents) as commission_cents
    from (${sums(sql, wanted)}) as sums
    ${between ? sql`where value between ${between.first} and ${between.last}` : sql``}
    group by value, currency
  ) as by_currency
  group by value
  having sum(clicks + leads + conversions + revenue_cents + commission_cents) > 0
`

function sums(sql: Transaction, wanted: Omit<Wanted, "currency">) {
  const { days, edges } = partsOf(wanted)
  const whole = sql`
    select value, currency, clicks, leads, conversions, revenue_cents, commission_cents
    from daily_breakdown
    where program_id = ${wanted.program_id} and dimension = ${wanted.by}
      and day between ${days?.first ?? "infinity"} and ${days?.last ?? "-infinity"}
  `
  return edges.reduce((all, edge) => sql`${all} union all ${edgeOf(sql, wanted, edge)}`, whole)
}

function edgeOf(sql: Transaction, wanted: Omit<Wanted, "currency">, { from, to }: Range) {
  const { program_id, by } = wanted
  const events = sql`
    events where program_id = ${program_id} and timestamp between ${from} and ${to}
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
  `
}

const SORTED_BY = (
  sql: Transaction,
): Record<NonNullable<BreakdownQuery["sort"]>, PendingQuery<Row[]>> => ({
  clicks: sql`clicks`,
  leads: sql`leads`,
  conversions: sql`conversions`,
  revenue: sql`revenue_cents`,
  commission: sql`commission_cents`,
  conversionRate: sql`coalesce(conversions::numeric / nullif(clicks, 0), 0)`,
})

const rowOf =
  ({ by, currency }: Wanted) =>
  ({ value, revenue_cents, commission_cents, others, ...row }: Summed): BreakdownRow => ({
    value: value === "" ? null : by === "partner" || by === "link" ? Number(value) : value,
    label: null,
    clicks: row.clicks,
    leads: row.leads,
    conversions: row.conversions,
    revenue: major(BigInt(revenue_cents), currency),
    commission: major(BigInt(commission_cents), currency),
    conversionRate: decimal(BigInt(row.conversions) * 100n, BigInt(row.clicks), 2),
    otherCurrencies: (others ?? []).map(({ currency, revenue_cents, commission_cents }) => ({
      currency,
      revenue: major(BigInt(revenue_cents), currency),
      commission: major(BigInt(commission_cents), currency),
    })),
  })
