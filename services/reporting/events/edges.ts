import { columnsOf } from "../../../lib/db/columns"
import type { Fragment } from "../../../lib/db/database"
import { sql } from "../db"
import { type Edge, hoursOf, type Range } from "../periods/range"
import { KEPT_FROM } from "../retention/dropped-clicks"
import { type EventType, isOfType } from "./events"

const NO_HOURS: Range = { from: "infinity", to: "-infinity" }

/**
 * Names the ragged edges of a range, what happened at their ends, and what was sold in them: each
 * look at `events` is for all edges, since it is planned over all of its months.
 */
export const withEdges = (program_ids: number[], edges: Edge[]): Fragment => sql`
  with
  edge as (
    select day, first, last, first_hour, last_hour
    from ${edgesIn(edges)}
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
      where ${isOf(program_ids)} and timestamp between edge.first and edge.last
        ${isOfType("conversion")}
      offset 0 -- each by the index
    ) as sale
    group by edge.day, currency
  )
`

/** Counts of edges that are named. Clicks that retention dropped have the hour in which they were. */
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
      where ${isOf(program_ids)} and created_at between edge.first and edge.last
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
    where ${isOf(program_ids)} and hour between edge.first and edge.last
  ) as in_hours
`

/** Sums of edges that are named. */
export const moneyAtEdges = (program_ids: number[]): Fragment => sql`
  select day, currency, revenue_cents::text, '0'
  from sold
  union all
  select edge.day, currency, '0', sum(amount_cents)::text
  from edge
  cross join lateral (
    select currency, amount_cents
    from commissions
    where ${isOf(program_ids)} and created_at between edge.first and edge.last
    offset 0 -- each by the index
  ) as commission
  group by edge.day, currency
`

/** Edges as a relation, with the first and the last moment of their whole hours. */
export function edgesIn(edges: Edge[]): Fragment {
  const column = columnsOf(edges)
  const hours = columnsOf(edges.map(edge => hoursOf(edge).hours ?? NO_HOURS))
  return sql`
    unnest(
      ${column("day")}::date[],
      ${column("from")}::timestamptz[],
      ${column("to")}::timestamptz[],
      ${hours("from")}::timestamptz[],
      ${hours("to")}::timestamptz[]
    ) as edge (day, first, last, first_hour, last_hour)
  `
}

/**
 * How many events, of one type or of all, there are at the ragged ends of edges, without clicks that
 * retention dropped.
 */
export function countEnds(
  program_ids: number[],
  event_type: EventType | null,
  edges: Edge[],
): Fragment {
  const ends = edges.flatMap(edge => hoursOf(edge).ends.map(end => ({ ...end, day: edge.day })))
  const column = columnsOf(ends)
  return sql`
    select
      ragged_end.day,
      count(*) filter (where event_type = 'click') as clicks,
      count(*) filter (where event_type = 'lead') as leads,
      count(*) filter (where event_type = 'conversion') as sales
    from unnest(
      ${column("day")}::date[],
      ${column("from")}::timestamptz[],
      ${column("to")}::timestamptz[]
    ) as ragged_end (day, first, last)
    cross join lateral (
      select event_type
      from events
      where ${isOf(program_ids)} and timestamp between ragged_end.first and ragged_end.last
        ${isOfType(event_type)}
      offset 0 -- each by the index
    ) as event
    group by ragged_end.day
  `
}

export const isOf = (program_ids: number[]): Fragment =>
  program_ids.length === 1
    ? sql`program_id = ${program_ids[0] as number}`
    : sql`program_id = any (${program_ids}::bigint[])`
