import type { ReplyOf, RequestOf } from "../../../lib/bus/operation"
import { rowsThatFit } from "../../../lib/bus/rows-that-fit"
import { addMs, DAY_MS, latest } from "../../../lib/time"
import type * as contract from "../contract"
import { sql } from "../db"
import { type CaughtUp, catchUp } from "../freshness/catch-up"
import { readReport, readReportInOneStatement } from "../freshness/freshness"
import { EVENT_SOURCES } from "../sources"
import { type EventRow, readEvents, selectEvents, toEvent } from "./events"
import { type EventFilter, filterOf } from "./filter"
import { locatePage, selectTotal } from "./locate-page"
import { readTestEvents } from "./test-events"

const RECENT_MS = 7 * DAY_MS
const RECENT_OFFSET_MAX = 100 // events that are read and skipped

type Request = RequestOf<typeof contract.listEvents>
type Reply = ReplyOf<typeof contract.listEvents>

export async function listEvents({ program_id, query, slice, after }: Request): Promise<Reply> {
  if (query.test === "true") {
    return { ...(await readTestEvents(program_id, query, slice)), applied_until: null }
  }
  const filter = await filterOf(program_id, query)
  if (!filter) return { rows: [], total: 0, applied_until: null }

  const caughtUp = await catchUp(EVENT_SOURCES)
  const recent = after ? null : await listRecent(caughtUp, filter, slice)
  if (recent) return recent

  return readReport(EVENT_SOURCES, caughtUp.reached, async sql => {
    const { offset, limit } = slice
    const { total, from, first } = await locatePage(sql, filter, offset, limit)
    if (!first) return { rows: [], total }

    const rows = await (after
      ? readEvents(sql, { ...filter, to: after.timestamp }, { after, limit })
      : readEvents(sql, { ...filter, from, to: first.to }, { first, limit }))
    return { rows: rowsThatFit(rows), total }
  })
}

/**
 * Reads the page with one statement over the last days, one or two partitions. Most first pages are
 * that recent. Null: the page may reach further back, and has to be located.
 */
async function listRecent(
  { reached, now }: CaughtUp,
  filter: EventFilter,
  { offset, limit }: Request["slice"],
): Promise<Reply | null> {
  const since = addMs(now, -RECENT_MS)
  if (filter.to < since || offset > RECENT_OFFSET_MAX) return null

  const recent = { ...filter, from: latest(filter.from, since) }
  const { rows, applied_until } = await readReportInOneStatement<Found | NothingFound>(
    EVENT_SOURCES,
    reached,
    applied => sql`
      select ${applied}, total, event.*
      from (${selectTotal(filter)}) as counted
      left join (${selectEvents(recent, { offset, limit })}) as event on true
      order by event.timestamp desc, event.event_type desc, event.id desc
    `,
  )
  const [{ total }] = rows
  const found = rows.filter((row): row is typeof row & Found => row.id !== null)
  if (found.length < limit && offset + found.length < total) return null
  return { rows: rowsThatFit(found.map(toEvent)), total, applied_until }
}

type Found = EventRow & { total: number }
type NothingFound = { id: null; total: number }
