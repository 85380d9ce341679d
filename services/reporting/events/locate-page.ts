import type { Fragment, Transaction } from "../../../lib/db/database"
import { addMs, earliest, endOf, HOUR_MS, latest, startOf } from "../../../lib/time"
import { sql } from "../db"
import { type Edge, splitIntoDays } from "../periods/range"
import { ALWAYS, countColumn, KEPT_DAY, KEPT_HOUR } from "./count-column"
import { countEnds, edgeRows } from "./edges"
import type { FirstEvent } from "./events"
import { type EventFilter, isNarrowed } from "./filter"
import { selectNarrowedCountsByDay } from "./narrowed-counts"

/**
 * Finds where a page starts by adding up the counts of days, newest first, and then of the hours in
 * the page's first day, so that even a deep page reads few other events. Partial hours are counted
 * from events. Days are added as doubles: twice as fast as numerics, and as exact as JSON numbers.
 * No event of the page is older than `from`. `first` null: the page is empty.
 */
export async function locatePage(
  sql: Transaction,
  filter: EventFilter,
  offset: number,
  limit: number,
): Promise<{ total: number; from: string; first: FirstEvent | null }> {
  const { edges } = splitIntoDays(filter)
  const [{ total, newest, oldest, newer, until }] = await sql<[DaysOfPage]>`
    with added as (
      select
        day,
        sum(events::float8) over (order by day desc rows unbounded preceding) as events_since
      from (${selectCountsByDay(filter)}) as counts
    )
    select
      coalesce(max(events_since), 0)::bigint as total,
      max(day) filter (where events_since > ${offset}::float8) as newest,
      coalesce(
        max(day) filter (where events_since >= ${offset + limit}::float8),
        min(day)
      ) as oldest,
      coalesce(max(events_since) filter (where events_since <= ${offset}::float8), 0)::bigint
        as newer,
      (min(events_since) filter (where events_since > ${offset}::float8))::bigint as until
    from added
  `
  const from = oldest ? latest(filter.from, startOf(oldest)) : filter.from
  if (!newest) return { total, from, first: null }

  const isWhole = edges.every(edge => edge.day !== newest)
  const hasHours = isWhole && !isNarrowed(filter) // they have rollups
  const first =
    hasHours && offset > newer
      ? await firstInDay(sql, filter, newest, offset - newer)
      : {
          from: latest(filter.from, startOf(newest)),
          to: earliest(filter.to, endOf(newest)),
          newer: offset - newer,
          older: until - offset - 1,
        }
  return { total, from, first }
}

type DaysOfPage = {
  total: number
  oldest: string | null // a day no newer than the page's last event
  newer: number // how many events are on days newer than `newest`
} & (
  | { newest: string; until: number } // the first event's day; how many events are since its start
  | { newest: null; until: null } // the page is empty
)

/** Finds the first event after an offset in a day, and returns its position within its hour. */
async function firstInDay(
  sql: Transaction,
  filter: EventFilter,
  day: string,
  offset: number,
): Promise<FirstEvent> {
  const [{ hour, newer, until }] = await sql<[{ hour: string; newer: number; until: number }]>`
    with added as (
      select
        hour,
        sum(${countColumn(filter.event_type, KEPT_HOUR)}) over (order by hour desc) as events_since
      from hourly
      where program_id = ${filter.program_id} and hour between ${startOf(day)} and ${endOf(day)}
    )
    select
      max(hour) filter (where events_since > ${offset}::bigint) as hour,
      coalesce(max(events_since) filter (where events_since <= ${offset}::bigint), 0)::bigint
        as newer,
      (min(events_since) filter (where events_since > ${offset}::bigint))::bigint as until
    from added
  `
  return {
    from: hour,
    to: addMs(hour, HOUR_MS - 1),
    newer: offset - newer,
    older: until - offset - 1,
  }
}

/** Selects how many events match. */
export const selectTotal = (filter: EventFilter): Fragment => sql`
  select coalesce(sum(events::float8), 0)::bigint as total
  from (${selectCountsByDay(filter)}) as counts
`

/** Selects how many events match on each day. */
function selectCountsByDay(filter: EventFilter): Fragment {
  if (isNarrowed(filter)) return selectNarrowedCountsByDay(filter)
  const { days, edges } = splitIntoDays(filter)
  return sql`
    select day, ${countColumn(filter.event_type, KEPT_DAY)} as events
    from daily
    where program_id = ${filter.program_id}
      and day between ${days?.first ?? "infinity"} and ${days?.last ?? "-infinity"}
    ${edges.length > 0 ? sql`union all ${selectCountsAtEdges(filter, edges)}` : sql``}
  `
}

const selectCountsAtEdges = ({ program_id, event_type }: EventFilter, edges: Edge[]) => sql`
  select day, sum(events)::bigint as events
  from (
    select day, ${countColumn(event_type, ALWAYS)} as events
    from (${countEnds([program_id], event_type, edges)}) as ends
    union all
    select edge.day, ${countColumn(event_type, KEPT_HOUR)}
    from ${edgeRows(edges)} as edge
    cross join lateral (
      select hour, clicks, leads, sales
      from hourly
      where program_id = ${program_id} and hour between edge.first_hour and edge.last_hour
      offset 0 -- keeps it one index scan per row
    ) as hourly
  ) as part
  group by day
`
