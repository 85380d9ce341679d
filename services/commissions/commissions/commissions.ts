import type { Static } from "@sinclair/typebox"
import type { Database, Transaction } from "../../../lib/db/database"
import { Fault } from "../../../lib/fault"
import type { Commission, CommissionFilter } from "../contract"
import { sql } from "../db"
import type { LedgerCommission } from "../ledger/ledger"

type CommissionQuery = Static<typeof CommissionFilter> & {
  program_id: number
  commission_id?: number
}

/** Selects commissions as the API shows them, newest first. */
export const commissionsWhere = (
  sql: Database | Transaction,
  query: CommissionQuery & { limit: number; offset: number },
) => sql<Commission[]>`
  select
    commissions.id, sale_id, transaction_id, partner_id, policies.group_id,
    commissions.amount_cents, currency, status, refund_reason, rejection_reason, refunded_cents,
    hold_ends_at, policies.version as policy_version, commissions.created_at
  from commissions
  join policies on policies.id = policy_id
  where ${matches(query)}
  order by commissions.id desc
  limit ${query.limit}
  offset ${query.offset}
`

export async function countCommissions(sql: Transaction, query: CommissionQuery): Promise<number> {
  const [{ total }] = await sql<[{ total: number }]>`
    select count(*) as total
    from commissions
    where ${matches(query)}
  `
  return total
}

const matches = ({ program_id, commission_id, status, partner_id }: CommissionQuery) => sql`
  program_id = ${program_id}
    ${commission_id === undefined ? sql`` : sql`and commissions.id = ${commission_id}`}
    ${status === undefined ? sql`` : sql`and status = ${status}`}
    ${partner_id === undefined ? sql`` : sql`and partner_id = ${partner_id}`}
`

export type LockedCommission = LedgerCommission & {
  transaction_id: string
  amount_cents: number
  status: Commission["status"]
}

/** Locks a commission until the transaction ends. Throws "missing". */
export async function lockCommission(
  sql: Transaction,
  { program_id, commission_id }: { program_id: number; commission_id: number },
): Promise<LockedCommission> {
  const [commission] = await sql<[LockedCommission?]>`
    select id, program_id, partner_id, transaction_id, currency, amount_cents, status, paid_at
    from commissions
    where id = ${commission_id}
      and program_id = ${program_id}
    for update
  `
  if (!commission) throw new Fault("missing", "Commission not found in this program.")
  return commission
}
