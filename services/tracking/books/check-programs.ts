import type { OwnedProgram } from "../../../lib/books"
import { relation } from "../../../lib/db/relation"
import { ownedRowsChecker } from "../../../lib/owned-rows"
import { sql } from "../db"

const programRelation = relation<OwnedProgram>({
  id: "bigint",
  version: "bigint",
  is_changing: "boolean",
  status: "text",
  currency: "text",
  cookie_window_days: "bigint",
  attribution_model: "text",
  lead_auth: "text",
})

/** A creation that was undone leaves an archived program behind, in its first version. */
export const checkPrograms = ownedRowsChecker<OwnedProgram>(sql, programRelation, [
  {
    invariant: "Each program that tracking knows is as identity owns it",
    violations: (sql, { rows, isInRange }) => sql`
        select
          format('Program %s', coalesce(owned.id, copy.program_id)),
          case
            when copy.program_id is null then 'is missing in tracking.'
            when owned.id is null then 'is in tracking, but not in identity.'
            else 'differs in tracking from what identity owns.'
          end
        from ${rows} as owned
        full join (
          select
            program_id, version, status, currency, cookie_window_days, attribution_model, lead_auth
          from programs
          where ${isInRange(sql`program_id`)}
        ) as copy on copy.program_id = owned.id
        where case
          when owned.id is null then (copy.version, copy.status) <> (1, 'archived')
          when owned.is_changing then coalesce(copy.version, 0) < owned.version
          else (
            copy.version, copy.status, copy.currency, copy.cookie_window_days,
            copy.attribution_model, copy.lead_auth
          ) is distinct from (
            owned.version, owned.status, owned.currency, owned.cookie_window_days,
            owned.attribution_model, owned.lead_auth
          )
        end
      `,
  },
])
