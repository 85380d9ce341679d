import type { ReplyOf, RequestOf } from "../../../lib/bus/operation"
import { rowsThatFit } from "../../../lib/bus/rows-that-fit"
import type * as contract from "../contract"
import type { EventCursor, EventsQuery, ListedEvent } from "../contract"
import { readExportPart } from "../freshness/freshness"
import { EVENT_SOURCES } from "../sources"
import { readEvents } from "./events"
import { filterOf } from "./filter"
import { readTestEvents } from "./test-events"

const ROWS_PER_PART = 2_000
const TESTS_PER_PART = 100

type Request = RequestOf<typeof contract.exportEvents>
type Reply = ReplyOf<typeof contract.exportEvents>

export async function exportEvents({ program_id, query, after }: Request): Promise<Reply> {
  if (query.test === "true") return exportTests(program_id, query, after)
  const filter = await filterOf(program_id, query)
  if (!filter) return { rows: [], next: null, applied_until: null }

  const to = after?.timestamp ?? filter.to
  return readExportPart(EVENT_SOURCES, after === null, async sql => {
    const found = await readEvents(sql, { ...filter, to }, { after, limit: ROWS_PER_PART })
    const rows = rowsThatFit(found)
    const isLast = rows.length === found.length && found.length < ROWS_PER_PART
    return { rows, next: isLast ? null : cursorOf(rows.at(-1)) }
  })
}

async function exportTests(program_id: number, query: EventsQuery, after: EventCursor | null) {
  const slice = { offset: 0, limit: TESTS_PER_PART }
  const { rows } = await readTestEvents(program_id, query, slice, after)
  return { rows, next: cursorOf(rows.at(-1)), applied_until: null }
}

const cursorOf = (event: ListedEvent | undefined): EventCursor | null =>
  event ? { timestamp: event.timestamp, event_type: event.event_type, id: event.id } : null
