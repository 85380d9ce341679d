import type { RequestOf } from "../../../lib/bus/operation"
import { rowsThatFit } from "../../../lib/bus/rows-that-fit"
import type * as contract from "../contract"
import { sql } from "../db"
import { type PolicyRow, toPolicy } from "./groups"

type Request = RequestOf<typeof contract.listPolicies>

export async function listPolicies({ program_id, group_id, slice }: Request) {
  const rows = await sql<PolicyRow[]>`
    select
      version, effective_from, kind, rate_bps, amount_cents,
      duration_months, hold_days, auto_approve, products
    from policies
    join groups on groups.id = group_id
    where group_id = ${group_id}
      and program_id = ${program_id}
    order by version desc
    limit ${slice.limit}
    offset ${slice.offset}
  `
  const [{ total }] = await sql<[{ total: number }]>`
    select count(*) as total
    from policies
    join groups on groups.id = group_id
    where group_id = ${group_id}
      and program_id = ${program_id}
  `
  return { rows: rowsThatFit(rows.map(toPolicy)), total }
}
