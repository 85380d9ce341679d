import type { RequestOf } from "../../../lib/bus/operation"
import { Fault } from "../../../lib/fault"
import { foldedEmail } from "../../../lib/fields"
import { recordChange } from "../../../lib/record-change"
import { hashOf, mintToken } from "../../../lib/token"
import type * as contract from "../contract"
import type { Role } from "../contract"
import { sql } from "../db"
import { requireCanManage } from "../workspaces/members"
import { mailMember } from "./invitation-mails"

type Request = RequestOf<typeof contract.inviteMember>
type Stored = { id: number; email: string; role: Role; expires_at: string }

export async function inviteMember({ user_id, workspace_id, invitation }: Request) {
  const { email, role } = invitation
  await requireCanManage(sql, { user_id, workspace_id }, role)

  const token = mintToken("affi_")
  return sql.begin(async sql => {
    const [stored] = await sql<[Stored?]>`
      insert into invitations (workspace_id, email, email_folded, role, invited_by, token_hash)
      select ${workspace_id}, ${email}, ${foldedEmail(email)}, ${role}, ${user_id}, ${hashOf(token)}
      where not exists (
        select 1
        from memberships
        join users on users.id = user_id
        where workspace_id = ${workspace_id} and users.email_folded = ${foldedEmail(email)}
      )
      on conflict (workspace_id, email_folded) where accepted_at is null do update
      set
        email = excluded.email,
        role = excluded.role,
        invited_by = excluded.invited_by,
        token_hash = excluded.token_hash,
        expires_at = excluded.expires_at
      returning id, email, role, expires_at
    `
    if (!stored) throw new Fault("conflict", "This e-mail address already belongs to a member.")
    const { id: subject_id, expires_at } = stored
    const details = { role, expires_at }
    await recordChange(sql, { workspace_id, action: "invitation.create", subject_id, details })
    await mailMember(sql, { ...stored, token }, { workspace_id, user_id, role })
    return { ...stored, token }
  })
}
