import type { OwnedProgram } from "../../../lib/books"
import { relation } from "../../../lib/db/relation"
import { ownedRowsChecker } from "../../../lib/owned-rows"
import { sql } from "../db"

const programRelation = relation<OwnedProgram>({
  id: "bigint",
  version: "bigint",
  is_changing: "boolean",
  workspace_id: "bigint",
  currency: "text",
})

/** A creation that was undone leaves a program in its first version behind. */
export const checkPrograms = ownedRowsChecker<OwnedProgram>(sql, programRelation, [
  {
    invariant: "Each program that commissions knows is as identity owns it",
    violations: (sql, { rows, isInRange }) => sql`
        select
          format('Program %s', coalesce(owned.id, copy.program_id)),
          case
            when copy.program_id is null then 'is missing in commissions.'
            when owned.id is null then 'is in commissions, but not in identity.'
            else 'differs in commissions from what identity owns.'
          end
        from ${rows} as owned
        full join (
          select program_id, version, workspace_id, currency
          from programs
          where ${isInRange(sql`program_id`)}
        ) as copy on copy.program_id = owned.id
        where case
          when owned.id is null then copy.version <> 1
          when owned.is_changing then coalesce(copy.version, 0) < owned.version
          else (copy.version, copy.workspace_id, copy.currency) is distinct from
            (owned.version, owned.workspace_id, owned.currency)
        end
      `,
  },
])
