import type { RequestOf } from "../../../lib/bus/operation"
import type { Database, Transaction } from "../../../lib/db/database"
import { Fault } from "../../../lib/fault"
import { withdrawOutgoingMail } from "../../../lib/outgoing-mails"
import { recordChange } from "../../../lib/record-change"
import type * as contract from "../contract"
import type { Role } from "../contract"
import { sql } from "../db"
import { requireCanManage } from "../workspaces/members"
import { memberMail } from "./invitation-mails"

type Request = RequestOf<typeof contract.withdrawInvitation>

/** The row goes, and the address with it. Accepting at the same moment comes before or is refused. */
export const withdrawInvitation = (request: Request) =>
  sql.begin(async sql => {
    const role = await findWithdrawable(sql, request)
    const { workspace_id, invitation_id } = request
    const withdrawn = await sql`
      delete from invitations
      where id = ${invitation_id} and accepted_at is null
    `
    if (withdrawn.count === 0) throw notFound()
    await withdrawOutgoingMail(sql, memberMail(invitation_id))
    const change = { workspace_id, subject_id: invitation_id, details: { role } }
    await recordChange(sql, { ...change, action: "invitation.withdraw" })
    return {}
  })

export async function permitInvitation(request: RequestOf<typeof contract.permitInvitation>) {
  await findWithdrawable(sql, request)
  return {}
}

/** The role that a pending invitation is for. Throws "missing", or "forbidden" (of an owner). */
async function findWithdrawable(
  sql: Database | Transaction,
  { workspace_id, invitation_id, user_id }: Request,
): Promise<Role> {
  const [invitation] = await sql<[{ role: Role }?]>`
    select role
    from invitations
    where (workspace_id, id) = (${workspace_id}, ${invitation_id})
      and accepted_at is null
  `
  if (!invitation) throw notFound()
  await requireCanManage(sql, { workspace_id, user_id }, invitation.role)
  return invitation.role
}

const notFound = () => new Fault("missing", "Invitation not found in this workspace.")
