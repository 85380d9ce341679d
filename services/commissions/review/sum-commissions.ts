import type { ReplyOf, RequestOf } from "../../../lib/bus/operation"
import { matches } from "../commissions/commissions"
import type * as contract from "../contract"
import { sql } from "../db"

type Request = RequestOf<typeof contract.sumCommissions>

export async function sumCommissions({ program_id, filter }: Request) {
  const sums = await sql<ReplyOf<typeof contract.sumCommissions>["sums"]>`
    select status, currency, count(*) as count, sum(amount_cents)::bigint as amount_cents
    from commissions
    where ${matches({ program_id, ...filter })}
    group by status, currency
    order by status, currency
  `
  return { sums }
}
