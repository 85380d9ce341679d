import type { Transaction } from "../../../lib/db/database"
import { Fault } from "../../../lib/fault"
import type { Partner } from "../contract"
import { sql } from "../db"

/** What `partnersWhere` is asked for: records of a program, all or one. */
type Wanted = { program_id: number; partner_id?: number; limit: number; offset: number }

/** Whether the creation of a `partner` has come to its end. */
export const isMade = sql`
  partner.version > 0
  and (partner.proposed_entry ->> 'action') is distinct from 'partner.create'
`

/** Partners as they are shown, by id. Those whose creation is under way are shown to nobody. */
export const partnersWhere = ({ program_id, partner_id, limit, offset }: Wanted) =>
  sql<Partner[]>`
    select
      partner_id, email, name, status, group_id,
      coalesce(
        (
          select balance_cents::float8
          from balances as balance
          where balance.program_id = partner.program_id
            and balance.partner_id = partner.partner_id
            and balance.currency = program.currency
        ),
        0
      ) as balance_cents,
      (
        select coalesce(
          jsonb_agg(
            jsonb_build_object('currency', currency, 'balance_cents', balance_cents)
            order by currency
          ),
          '[]'
        )
        from balances as balance
        where balance.program_id = partner.program_id
          and balance.partner_id = partner.partner_id
      ) as balances,
      partner.created_at
    from partner_programs as partner
    join programs as program using (program_id)
    where program_id = ${program_id}
      ${partner_id === undefined ? sql`` : sql`and partner_id = ${partner_id}`}
      and ${isMade}
    order by partner_id
    limit ${limit}
    offset ${offset}
  `

/** The group that is named, or the Default one. Throws "invalid". */
export async function groupOf(
  sql: Transaction,
  program_id: number,
  group_id: number | undefined,
): Promise<number> {
  const [group] = await sql<[{ id: number }?]>`
    select id
    from groups
    where program_id = ${program_id}
      and ${group_id === undefined ? sql`is_default` : sql`id = ${group_id}`}
  `
  if (!group) throw new Fault("invalid", "group_id names no group of this program.")
  return group.id
}
