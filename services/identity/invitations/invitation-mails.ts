import type { Transaction } from "../../../lib/db/database"
import { recordOutgoingMail } from "../../../lib/outgoing-mails"
import type { Mail } from "../../delivery/contract"

type Invitation = { id: number; email: string; token: string; expires_at: string }

/** Records the mail that invites a person to a workspace. */
export async function mailMember(
  sql: Transaction,
  { id, email, token, expires_at }: Invitation,
  { workspace_id, user_id, role }: { workspace_id: number; user_id: number; role: string },
) {
  const [{ workspace, inviter }] = await sql<[{ workspace: string; inviter: string }]>`
    select workspaces.name as workspace, users.name as inviter
    from workspaces
    join users on users.id = ${user_id}
    where workspaces.id = ${workspace_id}
  `
  const mail: Mail = {
    template: "member_invitation",
    to: email,
    values: { workspace, inviter, role, token, expires_at },
  }
  await recordOutgoingMail(sql, memberMail(id), expires_at, mail)
}

/** Records the mail that invites a partner of a program to create an account. */
export async function mailPartner(
  sql: Transaction,
  { id, email, token, expires_at }: Invitation,
  program_id: number,
) {
  const [{ program }] = await sql<[{ program: string }]>`
    select name as program
    from programs
    where id = ${program_id}
  `
  const mail: Mail = { template: "invitation", to: email, values: { program, token, expires_at } }
  await recordOutgoingMail(sql, `partner_invitation ${id}`, expires_at, mail)
}

/** What the mail of an invitation to a workspace is about. */
export const memberMail = (id: number) => `invitation ${id}` as const
