import type { Fragment } from "../../../lib/db/database"
import type { Range } from "../../../lib/range"
import { sql } from "../db"
import { splitIntoDays } from "../periods/range"
import { countColumn, KEPT_DAY } from "./count-column"
import { matchesFilter } from "./events"
import { dimensionOf, type EventFilter } from "./filter"

/**
 * Selects how many events match on each day, for a filter with values. For one partner, link or
 * country, daily_breakdown has the clicks and leads of whole days and daily_sales the sales, so that a
 * page costs about as much as without the filter. Anything else is counted event by event.
 */
export function selectNarrowedCountsByDay(filter: EventFilter): Fragment {
  const dimension = dimensionOf(filter)
  if (!dimension) return countEvents(filter, filter)

  const { days, edges } = splitIntoDays(filter)
  const parts = edges.map(edge => countEvents(filter, edge))
  if (days) {
    const { event_type } = filter
    if (event_type !== "conversion") parts.push(addUp(filter, dimension, days))
    if (event_type === null || event_type === "conversion") {
      parts.push(addUpSales(filter, dimension, days))
    }
  }
  return sql`
    select day, sum(events)::bigint as events
    from (${parts.reduce((all, part) => sql`${all} union all ${part}`)}) as part
    group by day
  `
}

const countEvents = (filter: EventFilter, { from, to }: Range) => sql`
  select (timestamp at time zone 'UTC')::date as day, count(*) as events
  from events
  where ${matchesFilter({ ...filter, from, to })}
  group by day
`

type Value = NonNullable<ReturnType<typeof dimensionOf>>
type Days = { first: string; last: string }

/** Selects how many clicks and leads daily_breakdown has of a value. */
const addUp = (
  { program_id, event_type }: EventFilter,
  { dimension, value }: Value,
  { first, last }: Days,
) => sql`
  select day, sum(${countColumn(event_type, KEPT_DAY, sql`0`)})::bigint as events
  from daily_breakdown
  where program_id = ${program_id}
    and (dimension, value) = (${dimension}, ${value})
    and day between ${first} and ${last}
  group by day
`

/** Selects how many sales daily_sales has of a value. */
const addUpSales = (
  { program_id }: EventFilter,
  { dimension, value }: Value,
  { first, last }: Days,
) => sql`
  select day, sales as events
  from daily_sales
  where program_id = ${program_id}
    and (dimension, value) = (${dimension}, ${value})
    and day between ${first} and ${last}
`
