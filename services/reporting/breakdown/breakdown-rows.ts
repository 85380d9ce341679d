import type { Fragment, Transaction } from "../../../lib/db/database"
import { decimal, major } from "../../../lib/money"
import type { Range } from "../../../lib/range"
import type { BreakdownQuery, BreakdownRow, By } from "../contract"
import { selectDaysAndEdges } from "./days-and-edges"

/** `partner_id`: the part of one partner. Absent: the whole program. */
export type BreakdownFilter = Range & {
  program_id: number
  by: By
  currency: string
  partner_id?: number
}

/** Values from `first` to `last`, both included, as stored: '' means no value. */
type ValueRange = { first: string; last: string }

/** Returns a page of a breakdown and the total number of rows. Ties are sorted by value. */
export async function readPage(
  sql: Transaction,
  filter: BreakdownFilter,
  { sort = "clicks", order = "desc" }: Pick<BreakdownQuery, "sort" | "order">,
  { offset, limit }: { offset: number; limit: number },
) {
  const direction = order === "asc" ? sql`asc` : sql`desc`
  const sorted = sql`order by ${sortExpression(sql, sort)} ${direction}, value`
  const found = await sql<(Partial<ValueRow> & { total: number })[]>`
    with breakdown as (${selectRowsByValue(sql, filter)})
    select total, page.*
    from (select count(*) as total from breakdown) as counted
    left join ( -- so that a page beyond the end still has a total
      select * from breakdown ${sorted} limit ${limit} offset ${offset}
    ) as page on true
    ${sorted}
  `
  const rows = found.filter((row): row is ValueRow & { total: number } => row.value != null)
  return { rows: await withOtherCurrencies(sql, filter, rows), total: found[0]?.total ?? 0 }
}

/**
 * Returns the rows after a value, sorted by value. `after` null: from the start. `last`: the value
 * up to which rows were read; null: there are no more.
 */
export async function readRowsAfter(
  sql: Transaction,
  filter: BreakdownFilter,
  after: string | null,
  limit: number,
) {
  await useKeyOrder(sql)
  const [page] = await sql<[{ first: string; last: string; values: number } | undefined]>`
    select min(value) as first, max(value) as last, count(*) as values
    from (
      select distinct value
      from (${selectDaysAndEdges(sql, filter)}) as part
      ${after === null ? sql`` : sql`where value > ${after}`}
      order by value
      limit ${limit}
    ) as page
    having count(*) > 0
  `
  if (!page) return { rows: [], last: null }

  const rows = await sql<ValueRow[]>`${selectRowsByValue(sql, filter, page)} order by value`
  const last = page.values < limit ? null : page.last
  return { rows: await withOtherCurrencies(sql, filter, rows), last }
}

/**
 * Makes the planner read in the order of the primary key. It does not know how many values there
 * are, and would read and sort all that follow.
 */
const useKeyOrder = (sql: Transaction) => sql`
  select set_config('enable_sort', 'off', true), set_config('enable_hashagg', 'off', true)
`

function sortExpression(sql: Transaction, sort: NonNullable<BreakdownQuery["sort"]>): Fragment {
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
  revenue_cents: string // text, since sums may exceed the safe integers
  commission_cents: string
}
type Other = Pick<ValueRow, "value" | "revenue_cents" | "commission_cents"> & { currency: string }

/** Selects the sums of each value: rollups of whole days, and events counted at the edges. */
const selectRowsByValue = (sql: Transaction, filter: BreakdownFilter, between?: ValueRange) => sql`
  select
    value,
    sum(clicks)::bigint as clicks, sum(leads)::bigint as leads,
    sum(conversions)::bigint as conversions,
    coalesce(sum(revenue_cents) filter (where currency = ${filter.currency}), 0)
      as revenue_cents,
    coalesce(sum(commission_cents) filter (where currency = ${filter.currency}), 0)
      as commission_cents
  from (${selectDaysAndEdges(sql, filter)}) as part
  ${between ? sql`where value between ${between.first} and ${between.last}` : sql``}
  group by value
  having bool_or( -- adding the numerics of every row is slow, and most have no money
    clicks > 0 or leads > 0 or conversions > 0 or revenue_cents > 0 or commission_cents > 0
  )
`

/** Adds the money in other currencies. Few rows have any, so a query of its own is faster. */
async function withOtherCurrencies(sql: Transaction, filter: BreakdownFilter, rows: ValueRow[]) {
  const others = await sql<Other[]>`
    select
      value, currency, sum(revenue_cents) as revenue_cents,
      sum(commission_cents) as commission_cents
    from (${selectDaysAndEdges(sql, filter)}) as part
    where value = any (${rows.map(row => row.value)}::text[])
      and currency not in ('', ${filter.currency})
    group by value, currency
    having sum(revenue_cents + commission_cents) > 0
    order by value, currency
  `
  const othersOf = Map.groupBy(others, other => other.value)
  return rows.map(row => toRow(filter, row, othersOf.get(row.value) ?? []))
}

function toRow({ by, currency }: BreakdownFilter, row: ValueRow, others: Other[]): BreakdownRow {
  const { value, clicks, leads, conversions } = row
  return {
    value: value === "" ? null : by === "partner" || by === "link" ? Number(value) : value,
    label: null,
    clicks,
    leads,
    conversions,
    ...inMajorUnits(row, currency),
    conversionRate: decimal(BigInt(conversions) * 100n, BigInt(clicks), 2),
    otherCurrencies: others.map(other => ({
      currency: other.currency,
      ...inMajorUnits(other, other.currency),
    })),
  }
}

const inMajorUnits = (
  sums: Pick<ValueRow, "revenue_cents" | "commission_cents">,
  currency: string,
) => ({
  revenue: major(BigInt(sums.revenue_cents), currency),
  commission: major(BigInt(sums.commission_cents), currency),
})
