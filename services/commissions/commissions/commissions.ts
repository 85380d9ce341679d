import type { Static } from "@sinclair/typebox"
import type { Database, Transaction } from "../../../lib/db/database"
import { Fault } from "../../../lib/fault"
import type { Commission, CommissionFilter } from "../contract"
import { sql } from "../db"
import type { Booked } from "../ledger/ledger"

type Wanted = Static<typeof CommissionFilter> & { program_id: number; commission_id?: number }

/** Commissions as they are shown, newest first. */
export const commissionsWhere = (
  sql: Database | Transaction,
  wanted: Wanted & { limit: number; offset: number },
) => sql<Commission[]>`
  select
    commissions.id, sale_id, transaction_id, partner_id, commissions.amount_cents, currency, status,
    refund_reason, rejection_reason, refunded_cents, hold_ends_at,
    policies.version as policy_version, commissions.created_at
  from commissions
  join policies on policies.id = policy_id
  where ${matches(wanted)}
  order by commissions.id desc
  limit ${wanted.limit}
  offset ${wanted.offset}
`

export async function countCommissions(sql: Transaction, wanted: Wanted): Promise<number> {
  const [{ total }] = await sql<[{ total: number }]>`
    select count(*) as total
    from commissions
    where ${matches(wanted)}
  `
  return total
}

const matches = ({ program_id, commission_id, status, partner_id }: Wanted) => sql`
  program_id = ${program_id}
    ${commission_id === undefined ? sql`` : sql`and commissions.id = ${commission_id}`}
    ${status === undefined ? sql`` : sql`and status = ${status}`}
    ${partner_id === undefined ? sql`` : sql`and partner_id = ${partner_id}`}
`

export type Settling = Booked & {
  transaction_id: string
  amount_cents: number
  status: Commission["status"]
}

/** A commission that is about to change, locked to the transaction's end. Throws "missing". */
export async function lockCommission(
  sql: Transaction,
  { program_id, commission_id }: { program_id: number; commission_id: number },
): Promise<Settling> {
  const [commission] = await sql<[Settling?]>`
    select id, program_id, partner_id, transaction_id, currency, amount_cents, status, paid_at
    from commissions
    where id = ${commission_id}
      and program_id = ${program_id}
    for update
  `
  if (!commission) throw new Fault("missing", "The program has no such commission.")
  return commission
}
