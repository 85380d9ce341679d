import type { ReplyOf, RequestOf } from "../../../lib/bus/operation"
import type { Transaction } from "../../../lib/db/database"
import type * as contract from "../contract"
import type { EarningPeriod, ExplainedCommission } from "../contract"
import { sql } from "../db"

type Request = RequestOf<typeof contract.explainCommission>
type Reply = ReplyOf<typeof contract.explainCommission>

/** Uses one snapshot, so that amounts, status and entries agree. */
export const explainCommission = (request: Request): Promise<Reply> =>
  sql.begin("isolation level repeatable read read only", async sql => ({
    commission: await findCommission(sql, request),
    period: await findPeriod(sql, request),
  }))

/** The terms are those that create-commission.ts applied: a policy is never edited. */
async function findCommission(
  sql: Transaction,
  { program_id, sale_id, product_id }: Request,
): Promise<ExplainedCommission | null> {
  const [commission] = await sql<[Omit<ExplainedCommission, "entries">?]>`
    select
      commission.id, commission.status, commission.amount_cents, commission.currency,
      commission.auto_approve, hold_ends_at, approved_at, paid_at, refund_reason,
      rejection_reason, deducted_cents, commission.created_at,
      policy.group_id, groups.name as group_name, policy.version as policy_version,
      coalesce(product.kind, policy.kind) as kind,
      case when product.kind is null then policy.rate_bps else product.rate_bps end as rate_bps,
      case when product.kind is null then policy.amount_cents else product.amount_cents end
        as fixed_cents,
      product.kind is not null as is_of_product,
      policy.hold_days,
      policy.auto_approve as policy_auto_approve
    from commissions as commission
    join policies as policy on policy.id = commission.policy_id
    join groups on groups.id = policy.group_id
    left join lateral (
      select kind, rate_bps, amount_cents
      from jsonb_to_recordset(policy.products)
        as product (product_id text, kind text, rate_bps int, amount_cents bigint)
      where product_id = ${product_id}
      limit 1
    ) as product on true
    where commission.sale_id = ${sale_id}
      and commission.program_id = ${program_id}
  `
  if (!commission) return null
  const entries = await sql<ExplainedCommission["entries"]>`
    select kind, amount_cents, created_at as at
    from ledger
    where commission_id = ${commission.id}
    order by id
  `
  return { ...commission, entries }
}

async function findPeriod(sql: Transaction, { program_id, first_sale_id }: Request) {
  if (first_sale_id === null) return null
  const [period] = await sql<[EarningPeriod?]>`
    select
      first.sale_id as first_sale_id,
      policy.duration_months,
      (
        first.sale_date at time zone 'UTC' + make_interval(months => policy.duration_months)
      ) at time zone 'UTC' as ends_at
    from commissions as first
    join policies as policy on policy.id = first.policy_id
    where first.sale_id = ${first_sale_id}
      and first.program_id = ${program_id}
  `
  return period ?? null
}
