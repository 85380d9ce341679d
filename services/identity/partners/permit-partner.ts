import type { RequestOf } from "../../../lib/bus/operation"
import { Fault } from "../../../lib/fault"
import type * as contract from "../contract"
import { sql } from "../db"

export async function permitPartner({ user_id }: RequestOf<typeof contract.permitPartner>) {
  const [account] = await sql<[{ account_id: number }?]>`
    select id as account_id
    from partner_accounts
    where user_id = ${user_id}
  `
  if (account) return account
  throw new Fault("forbidden", "You are not a partner of any program: accept an invitation first.")
}
