import type { ReplyOf, RequestOf } from "../../../lib/bus/operation"
import { rowsThatFit } from "../../../lib/bus/rows-that-fit"
import type * as contract from "../contract"
import { OF_EVENTS } from "../freshness/catch-up"
import { part } from "../freshness/freshness"
import { rangeOf } from "../periods/range"
import { readEvents } from "./events"

const ROWS_PER_PART = 2_000

type Asked = RequestOf<typeof contract.exportEvents>
type Exported = ReplyOf<typeof contract.exportEvents>

export async function exportEvents({ program_id, query, after }: Asked): Promise<Exported> {
  const range = rangeOf(query)
  const to = after?.timestamp ?? range.to
  const wanted = { program_id, event_type: query.eventType ?? null, from: range.from, to }

  return part(OF_EVENTS, after === null, async sql => {
    const found = await readEvents(sql, wanted, { after, limit: ROWS_PER_PART })
    const rows = rowsThatFit(found)
    const isLast = rows.length === found.length && found.length < ROWS_PER_PART
    return { rows, next: isLast ? null : placeOf(rows.at(-1) as (typeof rows)[number]) }
  })
}

const placeOf = ({ timestamp, event_type, id }: Exported["rows"][number]) => ({
  timestamp,
  event_type,
  id,
})
