import type { OwnedPartner } from "../../../lib/books"
import { relation } from "../../../lib/db/relation"
import { ownedRowsChecker } from "../../../lib/owned-rows"
import { sql } from "../db"

const partnerRelation = relation<OwnedPartner>({
  id: "bigint",
  program_id: "bigint",
  version: "bigint",
  is_changing: "boolean",
  status: "text",
})

/** A creation that was withdrawn leaves a removed partner behind, in its first version. */
export const checkPartners = ownedRowsChecker<OwnedPartner>(sql, partnerRelation, [
  {
    invariant: "Each partner that tracking knows is as commissions owns it",
    violations: (sql, { rows, isInRange }) => sql`
        select
          format('Partner %s of program %s', coalesce(owned.id, copy.partner_id),
            coalesce(owned.program_id, copy.program_id)),
          case
            when copy.partner_id is null then 'is missing in tracking.'
            when owned.id is null then 'is in tracking, but not in commissions.'
            else 'differs in tracking from what commissions owns.'
          end
        from ${rows} as owned
        full join (
          select program_id, partner_id, version, status
          from partner_programs
          where ${isInRange(sql`partner_id`)}
        ) as copy on copy.partner_id = owned.id and copy.program_id = owned.program_id
        where case
          when owned.id is null then (copy.version, copy.status) <> (1, 'removed')
          when owned.is_changing then coalesce(copy.version, 0) < owned.version
          else (copy.version, copy.status) is distinct from (owned.version, owned.status)
        end
      `,
  },
])
