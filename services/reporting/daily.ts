import type { Transaction } from "../../lib/db"
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

/** In cents, as bigints: sums may leave the safe integers. */
export type Money = {
  day: string
  currency: string
  revenue_cents: bigint
  commission_cents: bigint
}

/** Programs, of which a range is added up; or one of them, whose days are told as they stand. */
export type Whose = { program_ids: number[]; is_by_day: boolean }

/** What happened in a range. Days on which nothing did may be left out. */
export async function countsOf(sql: Transaction, { program_ids, is_by_day }: Whose, range: Range) {
  const { days, edges } = partsOf(range)
  const { day, sum, groupedBy } = summing(sql, is_by_day)
  const whole = days
    ? await sql<Counts[]>`
        select
          ${day} as day,
          ${sum("clicks")}::bigint as clicks,
          ${sum("leads")}::bigint as leads,
          ${sum("sales")}::bigint as sales,
          ${sum("conversions")}::bigint as conversions,
          ${sum("partners")}::bigint as partners
        from daily
        where ${isOf(sql, program_ids)} and day between ${days.first} and ${days.last}
        ${groupedBy("program_id")}
      `
    : []
  return [...whole, ...(await Promise.all(edges.map(edge => countEdge(sql, program_ids, edge))))]
}

/** Where no day is asked for, PostgreSQL adds up: to tell days takes both sides longer. */
const summing = (sql: Transaction, is_by_day: boolean) =>
  is_by_day
    ? { day: sql`day`, sum: (column: string) => sql`${sql(column)}`, groupedBy: () => sql`` }
    : {
        day: sql`max(day)`,
        sum: (column: string) => sql`sum(${sql(column)})`,
        groupedBy: (key: string) => sql`group by ${sql(key)}`,
      }

/** Clicks that retention dropped are counted with the hour in which they were. */
async function countEdge(sql: Transaction, program_ids: number[], { day, from, to }: Edge) {
  const { hours, ends } = hoursOf({ from, to })
  const atEnds = (event_type: EventType) => countEnds(sql, { program_ids, event_type }, ends)
  const isWhole = sql`hour between ${hours?.from ?? "infinity"} and ${hours?.to ?? "-infinity"}`
  const [counts] = await sql<[Counts]>`
    select
      ${day} as day,
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
        where ${isOf(sql, program_ids)} and hour between ${from} and ${to}
      ) as in_hours,
      (${atEnds("click")}) as of_clicks (clicks_at_ends),
      (${atEnds("lead")}) as of_leads (leads_at_ends),
      (${atEnds("conversion")}) as of_sales (sales_at_ends),
      (
        select count(*) filter (where converts) as conversions
        from events
        where ${isOf(sql, program_ids)} and timestamp between ${from} and ${to}
          ${isOfType(sql, "conversion")}
      ) as of_conversions,
      (
        select count(*) as partners
        from partners
        where ${isOf(sql, program_ids)} and created_at between ${from} and ${to}
      ) as of_partners
  `
  return counts
}

const isOf = (sql: Transaction, program_ids: number[]) =>
  program_ids.length === 1
    ? sql`program_id = ${program_ids[0] as number}`
    : sql`program_id = any (${program_ids}::bigint[])`

/** What was earned in a range, by day and currency. */
export async function moneyOf(sql: Transaction, { program_ids, is_by_day }: Whose, range: Range) {
  const { days, edges } = partsOf(range)
  const { day, sum, groupedBy } = summing(sql, is_by_day)
  const whole = days
    ? await sql<MoneyText[]>`
        select
          ${day} as day,
          currency,
          ${sum("revenue_cents")}::text as revenue_cents,
          ${sum("commission_cents")}::text as commission_cents
        from daily_money
        where ${isOf(sql, program_ids)} and day between ${days.first} and ${days.last}
        ${groupedBy("currency")}
      `
    : []
  const ragged = await Promise.all(edges.map(edge => addUpEdge(sql, program_ids, edge)))
  return [...whole, ...ragged.flat()].map(asMoney)
}

type MoneyText = Pick<Money, "day" | "currency"> &
  Record<"revenue_cents" | "commission_cents", string>

const addUpEdge = (sql: Transaction, program_ids: number[], { day, from, to }: Edge) => sql<
  MoneyText[]
>`
  select ${day} as day, currency, sum(amount_cents)::text as revenue_cents, '0' as commission_cents
  from events
  where ${isOf(sql, program_ids)} and timestamp between ${from} and ${to}
    ${isOfType(sql, "conversion")}
  group by currency
  union all
  select ${day}, currency, '0', sum(amount_cents)::text
  from commissions
  where ${isOf(sql, program_ids)} and created_at between ${from} and ${to}
  group by currency
`

const asMoney = ({ revenue_cents, commission_cents, ...money }: MoneyText): Money => ({
  ...money,
  revenue_cents: BigInt(revenue_cents),
  commission_cents: BigInt(commission_cents),
})
