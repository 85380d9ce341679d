import { call } from "../../../lib/bus/bus"
import type { Transaction } from "../../../lib/db/database"
import { retryOnSilence } from "../../../lib/retry"
import { findLastSale } from "../../tracking/contract"
import type { Policy } from "../contract"

type Terms = {
  version: number
  duration_months: number | null
  hold_days: number
  auto_approve: boolean
  products: NonNullable<Policy["products"]>
}
const DEFAULT_TERMS: Terms = {
  version: 0,
  duration_months: null,
  hold_days: 15,
  auto_approve: true,
  products: [],
}

/**
 * Adds a version to the policy of a group, whose row the caller has locked or just created. Absent
 * terms keep their values. A first version takes effect immediately. No version takes effect in the
 * past, because earned commissions must not change. `after_sale_id` as findPolicyStart returns it.
 */
export async function addPolicy(
  sql: Transaction,
  group_id: number,
  policy: Policy,
  after_sale_id: number | null = null,
) {
  const previous = (await lastTerms(sql, group_id)) ?? DEFAULT_TERMS
  const { duration_months, hold_days, auto_approve, products } = { ...previous, ...policy }
  const { kind, rate_bps, amount_cents } = { rate_bps: null, amount_cents: null, ...policy }
  const effectiveFrom = previous.version === 0 ? null : (policy.effective_from ?? null)

  await sql`
    insert into policies (
      group_id, version, effective_from, after_sale_id, kind, rate_bps, amount_cents,
      duration_months, hold_days, auto_approve, products
    )
    values (
      ${group_id}, ${previous.version + 1},
      greatest(now(), ${effectiveFrom && iso(effectiveFrom)}::timestamptz),
      ${after_sale_id},
      ${kind}, ${rate_bps}, ${amount_cents},
      ${duration_months}, ${hold_days}, ${auto_approve}, ${sql.json(products)}
    )
  `
}

/**
 * Returns the newest sale, after which a further version of a policy takes effect if it is to do so
 * now. Null: it is scheduled, and the time of a sale decides.
 */
export async function findPolicyStart({ effective_from }: Policy): Promise<number | null> {
  if (effective_from !== undefined) return null
  const { sale_id } = await retryOnSilence(() => call(findLastSale, {}))
  return sale_id
}

async function lastTerms(sql: Transaction, group_id: number) {
  const [terms] = await sql<[Terms?]>`
    select version, duration_months, hold_days, auto_approve, products
    from policies
    where group_id = ${group_id}
    order by version desc
    limit 1
  `
  return terms
}

const iso = (text: string) => new Date(text).toISOString()
