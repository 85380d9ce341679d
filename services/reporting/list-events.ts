import type { ReplyOf, RequestOf } from "../../lib/contract"
import { rowsThatFit } from "../../lib/rows-that-fit"
import { type CaughtUp, catchUp, OF_EVENTS } from "./catch-up"
import type * as contract from "./contract"
import { sql } from "./db"
import { type EventRow, eventOf, eventsIn, readEvents, type Wanted } from "./events"
import { countedIn, locate } from "./locate"
import { rangeOf } from "./range"
import { report, reportAtOnce } from "./report"
import { DAY_MS, later, max } from "./time"

const LATELY_MS = 7 * DAY_MS
const LATELY_OFFSET_MAX = 1_000 // events that are read and left out

type Asked = RequestOf<typeof contract.listEvents>
type Listed = ReplyOf<typeof contract.listEvents>

export async function listEvents({ program_id, query, slice, after }: Asked): Promise<Listed> {
  const wanted = { program_id, event_type: query.eventType ?? null, ...rangeOf(query) }
  const caughtUp = await catchUp(OF_EVENTS)
  const ofLately = after ? null : await listLately(caughtUp, wanted, slice)
  if (ofLately) return ofLately

  return report(OF_EVENTS, caughtUp.reached, async sql => {
    const { offset, limit } = slice
    const { total, start, end, newer } = await locate(sql, wanted, offset, limit)
    if (!start || !end) return { rows: [], total }

    const rows = await (after
      ? readEvents(sql, { ...wanted, to: after.timestamp }, { after, limit })
      : readEvents(sql, { ...wanted, from: end, to: start }, { offset: offset - newer, limit }))
    return { rows: rowsThatFit(rows), total }
  })
}

/**
 * A page of which all happened lately, as of first pages mostly: by one statement, which opens a
 * month or two. Null: there is more to be looked for.
 */
async function listLately(
  { reached, now }: CaughtUp,
  wanted: Wanted,
  { offset, limit }: Asked["slice"],
): Promise<Listed | null> {
  const lately = later(now, -LATELY_MS)
  if (wanted.to < lately || offset > LATELY_OFFSET_MAX) return null

  const recent = { ...wanted, from: max(wanted.from, lately) }
  const { rows, applied_until } = await reportAtOnce<EventRow & { total: number }>(
    OF_EVENTS,
    reached,
    applied => sql`
      select ${applied}, total, event.*
      from (
        select coalesce(sum(events::float8), 0)::bigint as total
        from (${countedIn(sql, wanted)}) as counted
      ) as all_of_them
      left join (${eventsIn(sql, recent, { offset, limit })}) as event on true
      order by event.timestamp desc, event.event_type desc, event.id desc
    `,
  )
  const [{ total }] = rows
  const found = rows.filter(row => row.id !== null)
  if (found.length < limit && offset + found.length < total) return null
  return { rows: rowsThatFit(found.map(eventOf)), total, applied_until }
}
