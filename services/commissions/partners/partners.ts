import type { Database, Transaction } from "../../../lib/db/database"
import { Fault } from "../../../lib/fault"
import { foldedEmail } from "../../../lib/fields"
import type { Partner } from "../contract"
import { sql } from "../db"

/** Whether the creation of `partner` is complete. */
export const isCreated = sql`
  partner.version > 0
  and (partner.proposed_entry ->> 'action') is distinct from 'partner.create'
`

/** Partners with `own`: their balance in the currency of the program. */
export const partnersWithBalance = sql`
  partner_programs as partner
  join programs as program using (program_id)
  left join balances as own
    on (own.program_id, own.partner_id, own.currency) =
      (partner.program_id, partner.partner_id, program.currency)
`

/** The columns of partnersWithBalance that make a partner as the API shows it. */
export const partnerColumns = sql`
  partner.partner_id, email, name, status, group_id,
  coalesce(own.balance_cents, 0)::float8 as balance_cents,
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
  note, partner.created_at
`

type PartnerKey = { program_id: number; partner_id: number }

/** One partner, unless it is still being created. Throws "missing". */
export async function findPartner(
  { program_id, partner_id }: PartnerKey,
  database: Database | Transaction = sql,
): Promise<Partner> {
  const [partner] = await database<[Partner?]>`
    select ${partnerColumns}
    from ${partnersWithBalance}
    where partner.program_id = ${program_id}
      and partner.partner_id = ${partner_id}
      and ${isCreated}
  `
  if (!partner) throw partnerNotFound()
  return partner
}

export const partnerNotFound = () => new Fault("missing", "Partner not found in this program.")

/**
 * Why an e-mail address cannot be stored: another partner of the program has it. One that is still
 * being created may yet be published or withdrawn: try again.
 */
export async function emailFault(
  sql: Database | Transaction,
  program_id: number,
  email: string,
): Promise<Fault> {
  const [partner] = await sql`
    select 1
    from partner_programs as partner
    where program_id = ${program_id}
      and (email_folded = ${foldedEmail(email)} or lower(email) = lower(${email}))
      and ${isCreated}
  `
  return partner
    ? new Fault("conflict", "The program already has a partner with this e-mail address.")
    : new Fault("unavailable", "A partner with this e-mail address is being created: try again.")
}

/** The id of the given group, or of the Default group. Throws "invalid". */
export async function findGroupId(
  sql: Database | Transaction,
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
