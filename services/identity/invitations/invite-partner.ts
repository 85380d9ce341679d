import { call } from "../../../lib/bus/bus"
import type { RequestOf } from "../../../lib/bus/operation"
import { Fault } from "../../../lib/fault"
import { recordChange } from "../../../lib/record-change"
import { retryOnSilence } from "../../../lib/retry"
import { hashOf, mintToken } from "../../../lib/token"
import { showPartner } from "../../commissions/contract"
import type * as contract from "../contract"
import { sql } from "../db"
import { workspaceOf } from "../programs/programs"
import { mailPartner } from "./invitation-mails"

type Request = RequestOf<typeof contract.invitePartner>
type Invited = { id: number; partner_id: number; expires_at: string }

/** Inviting again replaces the token, until the invitation is accepted. */
export async function invitePartner({ program_id, partner_id }: Request) {
  const { email, status } = await retryOnSilence(() =>
    call(showPartner, { program_id, partner_id }),
  )
  if (status === "removed") throw new Fault("conflict", "The partner was removed.")

  const token = mintToken("affi_")
  return sql.begin(async sql => {
    const [invited] = await sql<[Invited?]>`
      insert into partner_invitations (program_id, partner_id, email, token_hash)
      select ${program_id}, ${partner_id}, ${email}, ${hashOf(token)}
      where not exists (
        select 1
        from partner_bindings
        where (program_id, partner_id) = (${program_id}, ${partner_id})
          and (account_id is not null or not is_told)
      )
      on conflict (program_id, partner_id) where accepted_at is null do update
      set
        email = excluded.email,
        token_hash = excluded.token_hash,
        expires_at = excluded.expires_at
      returning id, partner_id, expires_at
    `
    if (!invited) throw new Fault("conflict", "The partner already has an account.")
    const { id, ...stored } = invited
    const details = { expires_at: stored.expires_at }
    const workspace_id = await workspaceOf(sql, program_id)
    const change = { workspace_id, program_id, subject_id: partner_id }
    await recordChange(sql, { ...change, action: "partner.invite", details })
    await mailPartner(sql, { id, email, token, expires_at: stored.expires_at }, program_id)
    return { ...stored, token }
  })
}
