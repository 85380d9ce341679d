import type { ReplyOf, RequestOf } from "../../../lib/bus/operation"
import { rowsThatFit } from "../../../lib/bus/rows-that-fit"
import type * as contract from "../contract"
import type { Event, EventCursor } from "../contract"
import { readExportPart } from "../freshness/freshness"
import { rangeOf } from "../periods/range"
import { EVENT_SOURCES } from "../sources"
import { readEvents } from "./events"

const ROWS_PER_PART = 2_000

type Request = RequestOf<typeof contract.exportEvents>
type Reply = ReplyOf<typeof contract.exportEvents>

export async function exportEvents({ program_id, query, after }: Request): Promise<Reply> {
  const range = rangeOf(query)
  const to = after?.timestamp ?? range.to
  const filter = { program_id, event_type: query.eventType ?? null, from: range.from, to }

  return readExportPart(EVENT_SOURCES, after === null, async sql => {
    const found = await readEvents(sql, filter, { after, limit: ROWS_PER_PART })
    const rows = rowsThatFit(found)
    const isLast = rows.length === found.length && found.length < ROWS_PER_PART
    return { rows, next: isLast ? null : cursorOf(rows.at(-1) as Event) }
  })
}

const cursorOf = ({ timestamp, event_type, id }: Event): EventCursor => ({
  timestamp,
  event_type,
  id,
})
