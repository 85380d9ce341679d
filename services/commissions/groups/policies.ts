import type { Transaction } from "../../../lib/db/database"
import type { Policy } from "../contract"

type Terms = {
  version: number
  duration_months: number | null
  hold_days: number
  auto_approve: boolean
  products: NonNullable<Policy["products"]>
}
const FIRST_TERMS: Terms = {
  version: 0,
  duration_months: null,
  hold_days: 15,
  auto_approve: true,
  products: [],
}

/**
 * Adds a version to the policy of a group, whose row the caller has locked or just made. Terms
 * that it does not name stay as they were. A first version begins at once, and none in the past:
 * what was earned does not change.
 */
export async function addPolicy(sql: Transaction, group_id: number, policy: Policy) {
  const before = (await lastTerms(sql, group_id)) ?? FIRST_TERMS
  const { duration_months, hold_days, auto_approve, products } = { ...before, ...policy }
  const { kind, rate_bps, amount_cents } = { rate_bps: null, amount_cents: null, ...policy }
  const begins = before.version === 0 ? null : (policy.effective_from ?? null)

  await sql`
    insert into policies (
      group_id, version, effective_from, kind, rate_bps, amount_cents,
      duration_months, hold_days, auto_approve, products
    )
    values (
      ${group_id}, ${before.version + 1}, greatest(now(), ${begins && iso(begins)}::timestamptz),
      ${kind}, ${rate_bps}, ${amount_cents},
      ${duration_months}, ${hold_days}, ${auto_approve}, ${sql.json(products)}
    )
  `
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
