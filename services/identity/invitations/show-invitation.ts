import type { RequestOf } from "../../../lib/bus/operation"
import type * as contract from "../contract"
import type { ShownInvitation } from "../contract"
import { sql } from "../db"
import { findInvitation } from "./invitations"

/** Reads names only after the token was found valid. */
export async function showInvitation({ token }: RequestOf<typeof contract.showInvitation>) {
  const { kind, id } = await findInvitation(token)
  const [shown] =
    kind === "member"
      ? await sql<[ShownInvitation]>`
          select
            'member' as kind, invitation.email, workspace.name as workspace_name,
            invitation.role, null as program_name, inviter.name as invited_by_name,
            invitation.expires_at
          from invitations as invitation
          join workspaces as workspace on workspace.id = invitation.workspace_id
          left join users as inviter on inviter.id = invitation.invited_by
          where invitation.id = ${id}
        `
      : await sql<[ShownInvitation]>`
          select
            'partner' as kind, invitation.email, workspace.name as workspace_name,
            null as role, program.name as program_name, null as invited_by_name,
            invitation.expires_at
          from partner_invitations as invitation
          join programs as program on program.id = invitation.program_id
          join workspaces as workspace on workspace.id = program.workspace_id
          where invitation.id = ${id}
        `
  return shown
}
