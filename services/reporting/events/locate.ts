import type { Fragment, Transaction } from "../../../lib/db/database"
import { sql } from "../db"
import { type Edge, partsOf } from "../periods/range"
import { earliest, endOf, HOUR_MS, later, latest, startOf } from "../periods/time"
import { KEPT_FROM } from "../retention/dropped-clicks"
import { countEnds, edgesIn } from "./edges"
import type { EventType, FirstEvent, WantedEvents } from "./events"

/**
 * Finds a page by adding up the days that have been counted, from the newest on, and then the
 * hours of the day in which it starts: however deep it lies, few other events are looked at. The
 * ragged ends of a range are counted now. Days are added up as doubles, which takes PostgreSQL half
 * as long as numerics, and are exact as far as the numbers of an answer are.
 * No event of the page is older than `from`. `first` null: it is empty.
 */
export async function locate(
  sql: Transaction,
  wanted: WantedEvents,
  offset: number,
  limit: number,
): Promise<{ total: number; from: string; first: FirstEvent | null }> {
  const { edges } = partsOf(wanted)
  const [{ total, newest, oldest, newer, until }] = await sql<[Days]>`
    with added as (
      select
        day,
        sum(events::float8) over (order by day desc rows unbounded preceding) as events_since
      from (${countsIn(wanted)}) as counts
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
  const from = oldest ? latest(wanted.from, startOf(oldest)) : wanted.from
  if (!newest) return { total, from, first: null }

  const isWhole = edges.every(edge => edge.day !== newest) // its hours are counted
  const first =
    isWhole && offset > newer
      ? await firstInDay(sql, wanted, newest, offset - newer)
      : {
          from: latest(wanted.from, startOf(newest)),
          to: earliest(wanted.to, endOf(newest)),
          newer: offset - newer,
          older: until - offset - 1,
        }
  return { total, from, first }
}

type Days = {
  total: number
  oldest: string | null // a day no newer than the page's last event
  newer: number // how many events are on days newer than `newest`
} & (
  | { newest: string; until: number } // the day of the first event; how many there are until its end
  | { newest: null; until: null } // there is none
)

/** The first event after an offset in a day, as one of its hour. */
async function firstInDay(
  sql: Transaction,
  wanted: WantedEvents,
  day: string,
  offset: number,
): Promise<FirstEvent> {
  const [{ hour, newer, until }] = await sql<[{ hour: string; newer: number; until: number }]>`
    with added as (
      select
        hour,
        sum(${columnOf(wanted.event_type, KEPT_HOUR)}) over (order by hour desc) as events_since
      from hourly
      where program_id = ${wanted.program_id} and hour between ${startOf(day)} and ${endOf(day)}
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
    to: later(hour, HOUR_MS - 1),
    newer: offset - newer,
    older: until - offset - 1,
  }
}

/** How many events a range has, as a part of a statement. */
export const totalIn = (wanted: WantedEvents): Fragment => sql`
  select coalesce(sum(events::float8), 0)::bigint as total
  from (${countsIn(wanted)}) as counts
`

/** How many events there are on each day of a range. */
function countsIn(wanted: WantedEvents): Fragment {
  const { days, edges } = partsOf(wanted)
  return sql`
    select day, ${columnOf(wanted.event_type, KEPT_DAY)} as events
    from daily
    where program_id = ${wanted.program_id}
      and day between ${days?.first ?? "infinity"} and ${days?.last ?? "-infinity"}
    ${edges.length > 0 ? sql`union all ${countAtEdges(wanted, edges)}` : sql``}
  `
}

// A day is compared with a day: to make a time of each row's takes longer than the rest.
const KEPT_DAY = sql`day >= (select (${KEPT_FROM} at time zone 'UTC')::date)`
const KEPT_HOUR = sql`hour >= ${KEPT_FROM}`
const ALREADY_LEFT_OUT = sql`true` // what retention dropped: countEnds does not count it

/** How many events a list shows of a day or an hour, whose clicks may have been dropped. */
function columnOf(event_type: EventType | null, isKept: Fragment) {
  const clicks = sql`case when ${isKept} then clicks else 0 end`
  if (event_type === "click") return clicks
  if (event_type === "lead") return sql`leads`
  return event_type === "conversion" ? sql`sales` : sql`${clicks} + leads + sales`
}

const countAtEdges = ({ program_id, event_type }: WantedEvents, edges: Edge[]) => sql`
  select day, sum(events)::bigint as events
  from (
    select day, ${columnOf(event_type, ALREADY_LEFT_OUT)} as events
    from (${countEnds([program_id], event_type, edges)}) as ends
    union all
    select edge.day, ${columnOf(event_type, KEPT_HOUR)}
    from ${edgesIn(edges)}
    cross join lateral (
      select hour, clicks, leads, sales
      from hourly
      where program_id = ${program_id} and hour between edge.first_hour and edge.last_hour
      offset 0 -- each by the index
    ) as hourly
  ) as part
  group by day
`
