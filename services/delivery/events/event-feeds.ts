import type { Transaction } from "../../../lib/db/database"
import { followFeeds } from "../../../lib/feeds/catch-up"
import { appliedUntilOf, readApplied } from "../../../lib/feeds/cursors"
import { rewriteSetAside } from "../../../lib/feeds/set-aside"
import { type Feed, sourceOf } from "../../../lib/feeds/source"
import type { OutgoingRow } from "../../../lib/outgoing-events"
import * as commissions from "../../commissions/contract"
import * as identity from "../../identity/contract"
import * as tracking from "../../tracking/contract"
import { sql } from "../db"

const EVENT_SOURCES = [
  sourceOf(identity.feedOutgoingEvents, { events: feedOf("identity") }),
  sourceOf(tracking.feedOutgoingEvents, { events: feedOf("tracking") }),
  sourceOf(commissions.feedOutgoingEvents, { events: feedOf("commissions") }),
]

const reader = followFeeds("delivery", sql, EVENT_SOURCES)
export const { keepCaughtUp, findProblems } = reader

/** Stores all events that their owners have written by now. False: not all could be read in time. */
export async function readEvents(): Promise<boolean> {
  const reached = await reader.catchUp(EVENT_SOURCES)
  return appliedUntilOf(reached, await readApplied(sql, EVENT_SOURCES)) === null
}

/** `forget` does nothing: events stay even if their server is restored from a backup. */
function feedOf(service: string): Feed<OutgoingRow> {
  const apply = (sql: Transaction, rows: OutgoingRow[]) => storeEvents(sql, service, rows)
  return { name: service, apply, forget: async () => {} }
}

/**
 * Stores new events, in the order in which their owner wrote them. An event comes again when its
 * customer is erased, then without what names the customer, or when its server was restored.
 */
async function storeEvents(sql: Transaction, feed: string, rows: OutgoingRow[]) {
  const latest = new Map(rows.map(row => [row.event_key, row]))
  await rewriteSetAside<OutgoingRow>(sql, feed, async waiting =>
    waiting.map(row => latest.get(row.event_key) ?? row),
  )
  await sql`
    insert into events (event_key, program_id, partner_id, type, data, previous, at)
    select event_key, program_id, partner_id, type, data, previous, at
    from jsonb_to_recordset(${sql.json([...latest.values()] as never)}) as event (
      id bigint, event_key uuid, program_id bigint, partner_id bigint, type text, data jsonb,
      previous jsonb, at timestamptz
    )
    order by id
    on conflict (event_key) do update
    set
      data = excluded.data,
      previous = excluded.previous
    where (events.data, events.previous) is distinct from (excluded.data, excluded.previous)
  `
}
