import type { RequestOf } from "../../../lib/bus/operation"
import { Fault } from "../../../lib/fault"
import type * as contract from "../contract"
import { sql } from "../db"
import { type PolicyRow, toPolicy } from "./groups"

type Request = RequestOf<typeof contract.showDefaultPolicy>

export async function showDefaultPolicy({ program_id }: Request) {
  const [policy] = await sql<[PolicyRow?]>`
    select
      version, effective_from, kind, rate_bps, amount_cents,
      duration_months, hold_days, auto_approve, products
    from policies
    where group_id = (
        select id
        from groups
        where program_id = ${program_id} and is_default
      )
      and (version = 1 or after_sale_id is not null or effective_from <= now())
    order by version desc
    limit 1
  `
  if (policy) return toPolicy(policy)
  throw new Fault("missing", "Program not found.")
}
