import type { Transaction } from "../../../lib/db/database"
import { Fault } from "../../../lib/fault"
import type { Partner } from "../contract"
import { sql } from "../db"

/** All partners of a program, or one. */
type PartnerQuery = { program_id: number; partner_id?: number; limit: number; offset: number }

/** Whether the creation of `partner` is complete. */
export const isCreated = sql`
  partner.version > 0
  and (partner.proposed_entry ->> 'action') is distinct from 'partner.create'
`

/** Selects partners as the API shows them, by id, without those still being created. */
export const partnersWhere = ({ program_id, partner_id, limit, offset }: PartnerQuery) =>
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
      and ${isCreated}
    order by partner_id
    limit ${limit}
    offset ${offset}
  `

/** The id of the given group, or of the Default group. Throws "invalid". */
export async function findGroupId(
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
  if (!group) throw new Fault("invalid", "group_id is not a group of this program.")
  return group.id
}
