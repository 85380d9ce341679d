import type { OwnedEvent } from "../../../lib/books"
import { config } from "../../../lib/config"
import { relation } from "../../../lib/db/relation"
import { eventHash } from "../../../lib/outgoing-events"
import { ownedRowsChecker } from "../../../lib/owned-rows"
import { sql } from "../db"

const eventRelation = relation<OwnedEvent>({
  id: "bigint",
  event_key: "text",
  feed: "text",
  xact: "text",
  hash: "text",
  at: "timestamptz",
})

/** delivery may have more: a service that was restored from a backup has forgotten some. */
export const checkEvents = ownedRowsChecker<OwnedEvent>(sql, eventRelation, [
  {
    invariant: "Delivery has each event as its service wrote it",
    violations: (sql, { rows }) => sql`
      select
        format('Event %s of %s', owned.id, owned.feed),
        case
          when copy.event_key is null then 'is missing in delivery.'
          else 'differs in delivery.'
        end
      from ${rows} as owned
      join cursors on cursors.feed = owned.feed
      left join lateral (
        select event_key, ${eventHash(sql)} as hash
        from events
        where event_key = owned.event_key::uuid
      ) as copy on true
      where pg_visible_in_snapshot(owned.xact::xid8, (cursor ->> 'done')::pg_snapshot)
        and copy.hash is distinct from owned.hash
        and (
          copy.event_key is not null -- otherwise it may be pruned
          or owned.at > now() - ${config.delivery.retention_days} * interval '1 day'
        )
    `,
  },
])
