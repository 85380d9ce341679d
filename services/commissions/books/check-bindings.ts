import type { OwnedBinding } from "../../../lib/books"
import { relation } from "../../../lib/db/relation"
import { ownedRowsChecker } from "../../../lib/owned-rows"
import { sql } from "../db"

const bindingRelation = relation<OwnedBinding>({
  id: "bigint",
  program_id: "bigint",
  account_id: "bigint",
  is_changing: "boolean",
})

export const checkBindings = ownedRowsChecker<OwnedBinding>(sql, bindingRelation, [
  {
    invariant: "Each partner has the account that identity bound it to",
    violations: (sql, { rows, isInRange }) => sql`
        select
          format('Partner %s', coalesce(owned.id, copy.id)),
          format('has %s in commissions, but is bound to %s.',
            coalesce('account ' || copy.account_id, 'no account'),
            coalesce('account ' || owned.account_id, 'none'))
        from ${rows} as owned
        full join (
          select id, account_id
          from partners
          where account_id is not null
            and ${isInRange(sql`id`)}
        ) as copy using (id)
        where copy.account_id is distinct from owned.account_id
          and owned.is_changing is not true
      `,
  },
])
