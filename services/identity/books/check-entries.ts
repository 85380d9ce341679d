import type { OwnedEntry } from "../../../lib/books"
import { relation } from "../../../lib/db/relation"
import { ownedRowsChecker } from "../../../lib/owned-rows"
import { entryHash } from "../../../lib/record-change"
import { sql } from "../db"

const entryRelation = relation<OwnedEntry>({
  id: "bigint",
  entry_key: "text",
  feed: "text",
  xact: "text",
  hash: "text",
})

/** The log may have more: a service that was restored from a backup has forgotten some. */
export const checkEntries = ownedRowsChecker<OwnedEntry>(sql, entryRelation, [
  {
    invariant: "The audit log has each entry as its service wrote it",
    violations: (sql, { rows }) => sql`
      select
        format('Audit entry %s of %s', owned.id, owned.feed),
        case
          when copy.entry_key is null then 'is missing in the audit log.'
          else 'differs in the audit log.'
        end
      from ${rows} as owned
      join cursors on cursors.feed = owned.feed
      left join lateral (
        select entry_key, ${entryHash(sql)} as hash
        from audit_entries
        where entry_key = owned.entry_key::uuid
      ) as copy on true
      where pg_visible_in_snapshot(owned.xact::xid8, (cursor ->> 'done')::pg_snapshot)
        and copy.hash is distinct from owned.hash
    `,
  },
])
