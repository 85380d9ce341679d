import type { Fragment } from "../../../lib/db/database"
import { relation } from "../../../lib/db/relation"
import type { Range } from "../../../lib/range"
import { sql } from "../db"
import { type Edge, splitIntoHours } from "../periods/range"
import { KEPT_FROM } from "../retention/dropped-clicks"
import { isOfType } from "./events"
import type { EventType } from "./filter"

const EMPTY_RANGE: Range = { from: "infinity", to: "-infinity" }

/**
 * Defines the edges of a range, the counts of their ends and the sales in them as `edge`, `ends`
 * and `sold`. One query of `events` covers all edges, since each is planned over all of its months.
 */
export const withEdges = (program_ids: number[], edges: Edge[]): Fragment => sql`
  with
  edge as (
    select day, first, last, first_hour, last_hour
    from ${edgeRows(edges)} as edge
  ),
  ends as (${countEnds(program_ids, null, edges)}),
  sold as (
    select
      edge.day,
      currency,
      count(*) filter (where converts) as conversions,
      sum(amount_cents) as revenue_cents
    from edge
    cross join lateral (
      select currency, amount_cents, converts
      from events
      where ${isOfProgram(program_ids)} and timestamp between edge.first and edge.last
        ${isOfType("conversion")}
      offset 0 -- keeps it one index scan per row
    ) as sale
    group by edge.day, currency
  )
`

/**
 * Selects the counts of the edges that withEdges defined. Clicks that retention dropped count at
 * the start of their hour.
 */
export const countsAtEdges = (program_ids: number[]): Fragment => sql`
  select
    edge.day,
    in_hours.clicks + coalesce(ends.clicks, 0),
    in_hours.leads + coalesce(ends.leads, 0),
    in_hours.sales + coalesce(ends.sales, 0),
    (select coalesce(sum(conversions), 0)::bigint from sold where sold.day = edge.day),
    (
      select count(*)
      from partners
      where ${isOfProgram(program_ids)} and created_at between edge.first and edge.last
    )
  from edge
  left join ends using (day)
  cross join lateral (
    select
      coalesce(sum(clicks) filter (where is_whole or hour < ${KEPT_FROM}), 0)::bigint as clicks,
      coalesce(sum(leads) filter (where is_whole), 0)::bigint as leads,
      coalesce(sum(sales) filter (where is_whole), 0)::bigint as sales
    from hourly
    cross join lateral (select hour between edge.first_hour and edge.last_hour) as seen (is_whole)
    where ${isOfProgram(program_ids)} and hour between edge.first and edge.last
  ) as in_hours
`

/** Selects the sums of money of the edges that withEdges defined. */
export const moneyAtEdges = (program_ids: number[]): Fragment => sql`
  select day, currency, revenue_cents::text, '0'
  from sold
  union all
  select edge.day, currency, '0', sum(amount_cents)::text
  from edge
  cross join lateral (
    select currency, amount_cents
    from commissions
    where ${isOfProgram(program_ids)} and created_at between edge.first and edge.last
    offset 0 -- keeps it one index scan per row
  ) as commission
  group by edge.day, currency
`

type EdgeRow = { day: string; first: string; last: string; first_hour: string; last_hour: string }

const edgeRelation = relation<EdgeRow>({
  day: "date",
  first: "timestamptz",
  last: "timestamptz",
  first_hour: "timestamptz",
  last_hour: "timestamptz",
})

/** A relation of edges, with the first and the last moment of their whole hours. */
export const edgeRows = (edges: Edge[]): Fragment => edgeRelation(sql, edges.map(toEdgeRow))

function toEdgeRow(edge: Edge): EdgeRow {
  const hours = splitIntoHours(edge).hours ?? EMPTY_RANGE
  return {
    day: edge.day,
    first: edge.from,
    last: edge.to,
    first_hour: hours.from,
    last_hour: hours.to,
  }
}

type EndRow = Pick<EdgeRow, "day" | "first" | "last">

const endRelation = relation<EndRow>({ day: "date", first: "timestamptz", last: "timestamptz" })

/**
 * Selects how many events are in the ends of edges, outside their whole hours. `event_type` null:
 * all types. Clicks that retention dropped are left out.
 */
export function countEnds(
  program_ids: number[],
  event_type: EventType | null,
  edges: Edge[],
): Fragment {
  const ends = edges.flatMap(edge =>
    splitIntoHours(edge).ends.map(({ from, to }) => ({ day: edge.day, first: from, last: to })),
  )
  return sql`
    select
      ragged_end.day,
      count(*) filter (where event_type = 'click') as clicks,
      count(*) filter (where event_type = 'lead') as leads,
      count(*) filter (where event_type = 'conversion') as sales
    from ${endRelation(sql, ends)} as ragged_end
    cross join lateral (
      select event_type
      from events
      where ${isOfProgram(program_ids)} and timestamp between ragged_end.first and ragged_end.last
        ${isOfType(event_type)}
      offset 0 -- keeps it one index scan per row
    ) as event
    group by ragged_end.day
  `
}

/** Restricts rows to these programs. */
export const isOfProgram = (program_ids: number[]): Fragment =>
  program_ids.length === 1
    ? sql`program_id = ${program_ids[0] as number}`
    : sql`program_id = any (${program_ids}::bigint[])`
