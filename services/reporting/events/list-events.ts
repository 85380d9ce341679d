import type { ReplyOf, RequestOf } from "../../../lib/bus/operation"
import { rowsThatFit } from "../../../lib/bus/rows-that-fit"
import type * as contract from "../contract"
import { sql } from "../db"
import { type CaughtUp, catchUp, OF_EVENTS } from "../freshness/catch-up"
import { report, reportAtOnce } from "../freshness/freshness"
import { rangeOf } from "../periods/range"
import { DAY_MS, later, latest } from "../periods/time"
import { type EventRow, eventOf, eventsIn, readEvents, type WantedEvents } from "./events"
import { locate, totalIn } from "./locate"

const RECENT_MS = 7 * DAY_MS
const RECENT_OFFSET_MAX = 100 // events that are read and left out

type Asked = RequestOf<typeof contract.listEvents>
type Listed = ReplyOf<typeof contract.listEvents>

export async function listEvents({ program_id, query, slice, after }: Asked): Promise<Listed> {
  const wanted = { program_id, event_type: query.eventType ?? null, ...rangeOf(query) }
  const caughtUp = await catchUp(OF_EVENTS)
  const recent = after ? null : await listRecent(caughtUp, wanted, slice)
  if (recent) return recent

  return report(OF_EVENTS, caughtUp.reached, async sql => {
    const { offset, limit } = slice
    const { total, from, first } = await locate(sql, wanted, offset, limit)
    if (!first) return { rows: [], total }

    const rows = await (after
      ? readEvents(sql, { ...wanted, to: after.timestamp }, { after, limit })
      : readEvents(sql, { ...wanted, from, to: first.to }, { first, limit }))
    return { rows: rowsThatFit(rows), total }
  })
}

/**
 * The page by one statement, which opens a month or two, if all of it is recent: most first pages
 * are. Null: it may reach further back, and has to be located.
 */
async function listRecent(
  { reached, now }: CaughtUp,
  wanted: WantedEvents,
  { offset, limit }: Asked["slice"],
): Promise<Listed | null> {
  const since = later(now, -RECENT_MS)
  if (wanted.to < since || offset > RECENT_OFFSET_MAX) return null

  const recent = { ...wanted, from: latest(wanted.from, since) }
  const { rows, applied_until } = await reportAtOnce<Found | NothingFound>(
    OF_EVENTS,
    reached,
    applied => sql`
      select ${applied}, total, event.*
      from (${totalIn(wanted)}) as counted
      left join (${eventsIn(recent, { offset, limit })}) as event on true
      order by event.timestamp desc, event.event_type desc, event.id desc
    `,
  )
  const [{ total }] = rows
  const found = rows.filter((row): row is typeof row & Found => row.id !== null)
  if (found.length < limit && offset + found.length < total) return null
  return { rows: rowsThatFit(found.map(eventOf)), total, applied_until }
}

type Found = EventRow & { total: number }
type NothingFound = { id: null; total: number }
