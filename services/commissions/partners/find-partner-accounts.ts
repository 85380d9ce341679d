import type { ReplyOf, RequestOf } from "../../../lib/bus/operation"
import type * as contract from "../contract"
import { sql } from "../db"

type Request = RequestOf<typeof contract.findPartnerAccounts>
type Account = ReplyOf<typeof contract.findPartnerAccounts>["accounts"][number]

export async function findPartnerAccounts({ partner_ids }: Request) {
  const accounts = await sql<Account[]>`
    select id as partner_id, account_id
    from partners
    where id = any (${partner_ids}::bigint[])
      and account_id is not null
  `
  return { accounts }
}
