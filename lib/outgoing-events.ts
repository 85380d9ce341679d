import { type Static, Type } from "@sinclair/typebox"
import type { OwnedEvent } from "./books"
import type { ReplyOf, RequestOf } from "./bus/operation"
import type { Database, Fragment, Transaction } from "./db/database"
import { feedsOf } from "./feeds/feed"
import { readFeedRows } from "./feeds/read-feed-rows"
import { Id, Nullable, Time } from "./fields"

const KEPT_DAYS = 40 // longer than delivery keeps its log, so that it can be restored from here
const PRUNED_ROWS_MAX = 10_000

/**
 * What has happened, for webhooks and postbacks. `data` is the object as the API shows it after the
 * change; `previous` are its changed fields with their old values. `event_key` is a UUID, because
 * ids repeat after a backup is restored.
 */
const OutgoingRow = Type.Object({
  id: Id,
  event_key: Type.String(),
  program_id: Id,
  partner_id: Nullable(Id), // null: it is about no partner
  customer_id: Nullable(Id), // after its erasure the row comes again, with cleared fields
  type: Type.String(), // noun.verb
  data: Type.Unknown(),
  previous: Type.Unknown(), // null: nothing existed before
  at: Time,
})

export type OutgoingRow = Static<typeof OutgoingRow>

/** The feed of a service's outgoing events. Delivery reads it. */
export const outgoingEventsOf = (service: string) =>
  feedsOf(`${service}.outgoing_event.feed`, { events: OutgoingRow })
type OutgoingEvents = ReturnType<typeof outgoingEventsOf>

/** Reads the feed of the outgoing events in this database. */
export function readOutgoingEvents(sql: Database, request: RequestOf<OutgoingEvents>) {
  const columns = sql`
    id, event_key, program_id, partner_id, customer_id, type, data, previous, at
  `
  const tables = { events: { table: "outgoing_events", columns } }
  return readFeedRows<ReplyOf<OutgoingEvents>>(sql, tables, request)
}

/** The hash of an event: equal if its copy is. */
export const eventHash = (sql: Database | Transaction) => sql`
  hash_record_extended(row(program_id, partner_id, type, data, previous, at), 0)::text
`

/** Returns a handler that lists the outgoing events of a service, for `npm run audit`. */
export const outgoingEventLister =
  (sql: Database, feed: OwnedEvent["feed"]) =>
  ({ after_id, limit }: { after_id: number; limit: number }) =>
    sql<OwnedEvent[]>`
      select
        id, event_key, ${feed} as feed, final_xact::text as xact, ${eventHash(sql)} as hash, at
      from outgoing_events
      where id > ${after_id}
      order by id
      limit ${limit}
    `

type OutgoingEvent = {
  program_id: number
  partner_id?: number
  type: `${string}.${string}`
  data: object
  previous: object | null
}

/** Records an outgoing event, in the transaction that makes the change. */
export async function recordOutgoingEvent(
  sql: Transaction,
  { data, previous, ...event }: OutgoingEvent,
) {
  const stored = {
    ...event,
    data: sql.json(data as never),
    previous: previous && sql.json(previous as never),
  }
  await sql`insert into outgoing_events ${sql(stored)}`
}

/** A time as the API shows it, for `data` that a statement builds. */
export const jsonTime = (sql: Database | Transaction, column: string) =>
  sql`to_char(${sql(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')` as Fragment

/**
 * Returns the sweep that deletes events once nothing needs them. It looks at the oldest rows only,
 * so it needs no index of times.
 */
export const outgoingEventsPruner = (sql: Database) => async () => {
  const pruned = await sql`
    delete from outgoing_events
    where id in (
      select id
      from (
        select id, at
        from outgoing_events
        order by id
        limit ${PRUNED_ROWS_MAX}
      ) as oldest
      where at < now() - ${KEPT_DAYS} * interval '1 day'
    )
  `
  return pruned.count
}
