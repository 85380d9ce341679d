import type { ReplyOf, RequestOf } from "../../../lib/bus/operation"
import type * as contract from "../contract"
import { sql } from "../db"

type Request = RequestOf<typeof contract.listPartnerAccounts>
type Row = ReplyOf<typeof contract.listPartnerAccounts>["accounts"][number]

export async function listPartnerAccounts({ program_id, partner_ids }: Request) {
  const accounts = await sql<Row[]>`
    select partner_id, 'bound' as account
    from partner_bindings
    where program_id = ${program_id}
      and partner_id = any (${partner_ids}::bigint[])
      and account_id is not null
    union all
    select partner_id, 'invited'
    from partner_invitations
    where program_id = ${program_id}
      and partner_id = any (${partner_ids}::bigint[])
      and accepted_at is null
      and expires_at > now()
  `
  return { accounts }
}
