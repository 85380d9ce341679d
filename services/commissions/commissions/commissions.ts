import type { Static } from "@sinclair/typebox"
import type { Database, Transaction } from "../../../lib/db/database"
import { Fault } from "../../../lib/fault"
import type { Commission, CommissionFilter, CommissionSort } from "../contract"
import { sql } from "../db"
import type { LedgerCommission } from "../ledger/ledger"

type CommissionQuery = CommissionFilter & { program_id: number; commission_id?: number }
type Page = { sort?: Static<typeof CommissionSort>; limit: number; offset: number }

/** Selects commissions as the API shows them, newest first unless `sort` says otherwise. */
export const commissionsWhere = (sql: Database | Transaction, query: CommissionQuery & Page) => sql<
  Commission[]
>`
  select
    commissions.id, sale_id, transaction_id, partner_id,
    (
      select name
      from partner_programs as partner
      where partner.program_id = commissions.program_id
        and partner.partner_id = commissions.partner_id
    ) as partner_name,
    policies.group_id,
    commissions.amount_cents, commissions.currency, status, refund_reason, rejection_reason,
    refunded_cents, ${netCents(sql, "commissions")} as net_cents,
    commissions.auto_approve, hold_ends_at, policies.version as policy_version,
    commissions.created_at
  from commissions
  join policies on policies.id = policy_id
  where ${matches(query)}
  order by ${orderOf(sql, query.sort)}
  limit ${query.limit}
  offset ${query.offset}
`

/** What a commission comes to after its deductions; if it was rejected, nothing. */
export const netCents = (sql: Database | Transaction, table: string) => sql`
  case status when 'rejected' then 0 else ${sql(table)}.amount_cents - deducted_cents end
`

/** Ids rise with the time of creation. They also put equal rows into one order for all pages. */
function orderOf(sql: Database | Transaction, sort: Page["sort"] = "-created_at") {
  if (sort === "created_at") return sql`commissions.id`
  if (sort === "-created_at") return sql`commissions.id desc`
  const column = sql(`commissions.${sort.replace("-", "")}`)
  return sort.startsWith("-")
    ? sql`${column} desc, commissions.id desc`
    : sql`${column}, commissions.id`
}

export async function countCommissions(sql: Transaction, query: CommissionQuery): Promise<number> {
  const [{ total }] = await sql<[{ total: number }]>`
    select count(*) as total
    from commissions
    where ${matches(query)}
  `
  return total
}

/** The condition of a filter, for a query of `commissions`. */
export function matches(query: CommissionQuery) {
  const { program_id, commission_id, status, partner_id, sale_id } = query
  const { created_from, created_to, needs_approval, is_other_currency } = query
  return sql`
    commissions.program_id = ${program_id}
      ${commission_id === undefined ? sql`` : sql`and commissions.id = ${commission_id}`}
      ${status === undefined ? sql`` : sql`and status = ${status}`}
      ${partner_id === undefined ? sql`` : sql`and partner_id = ${partner_id}`}
      ${sale_id === undefined ? sql`` : sql`and sale_id = ${sale_id}`}
      ${created_from === undefined ? sql`` : sql`and commissions.created_at >= ${created_from}`}
      ${created_to === undefined ? sql`` : sql`and commissions.created_at <= ${created_to}`}
      ${needs_approval === undefined ? sql`` : sql`and (${NEEDS_APPROVAL}) = ${needs_approval}`}
      ${is_other_currency === undefined ? sql`` : sql`and (${IS_OTHER_CURRENCY}) = ${is_other_currency}`}
  `
}

export const NEEDS_APPROVAL = sql`status = 'pending' and not commissions.auto_approve`

/** Of a sale that an older version recorded, the currency is not known. */
export const IS_OTHER_CURRENCY = sql`
  coalesce(sale_currency, commissions.currency) <> (
    select currency
    from programs
    where program_id = commissions.program_id
  )
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
