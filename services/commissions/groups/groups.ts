import type { Database, Transaction } from "../../../lib/db/database"
import type { Group } from "../contract"
import { sql } from "../db"

/** The columns of a policy that the API shows. */
export type PolicyRow = {
  version: number
  effective_from: string
  kind: "percent" | "fixed"
  rate_bps: number
  amount_cents: number
  duration_months: number | null
  hold_days: number
  auto_approve: boolean
  products: Group["policy"]["products"]
}
type Row = Omit<Group, "policy"> & PolicyRow
type GroupQuery = { program_id: number; group_id?: number; limit: number; offset: number }

/** Groups as the API shows them, by id: all of a program, or one. */
export async function groupsWhere(
  { program_id, group_id, limit, offset }: GroupQuery,
  database: Database | Transaction = sql,
) {
  const rows = await database<Row[]>`
    select
      groups.id, name, is_default, version, effective_from, kind, rate_bps, amount_cents,
      duration_months, hold_days, auto_approve, products
    from groups
    cross join lateral (
      select
        version, effective_from, kind, rate_bps, amount_cents,
        duration_months, hold_days, auto_approve, products
      from policies
      where group_id = groups.id
      order by version desc
      limit 1
    ) as policy
    where program_id = ${program_id}
      ${group_id === undefined ? sql`` : sql`and groups.id = ${group_id}`}
    order by groups.id
    limit ${limit}
    offset ${offset}
  `
  return rows.map(toGroup)
}

const toGroup = ({ id, name, is_default, ...policy }: Row): Group => ({
  id,
  name,
  is_default,
  policy: toPolicy(policy),
})

/** A policy as the API shows it, with the price of its kind alone. */
export function toPolicy({ kind, rate_bps, amount_cents, ...terms }: PolicyRow): Group["policy"] {
  const price = kind === "percent" ? { kind, rate_bps } : { kind, amount_cents }
  return { ...price, ...terms }
}
