import type { RequestOf } from "../../../lib/bus/operation"
import { rowsThatFit } from "../../../lib/bus/rows-that-fit"
import type * as contract from "../contract"
import { sql } from "../db"
import { type EventContent, eventOf } from "./event-body"

type Request = RequestOf<typeof contract.listEventLog>

export async function listEventLog({ program_id, after, types, limit }: Request) {
  const contents = await sql<EventContent[]>`
    select event_key, type, at, sequence, workspace_id, program_id, data, previous
    from events
    where program_id = ${program_id}
      and sequence > ${after}
      and published_at is not null
      ${types ? sql`and type = any (${types}::text[])` : sql``}
    order by sequence
    limit ${limit}
  `
  return rowsThatFit(contents.map(content => eventOf(content, "full")))
}
