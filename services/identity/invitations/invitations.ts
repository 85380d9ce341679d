import type { Database, Transaction } from "../../../lib/db/database"
import { Fault } from "../../../lib/fault"
import { hashOf, isToken } from "../../../lib/token"
import type { Role } from "../contract"
import { sql } from "../db"
import { requireCanManage } from "../workspaces/members"

export type MemberInvitation = {
  kind: "member"
  id: number
  email: string
  workspace_id: number
  role: Role
  invited_by: number | null // null: the command that invites the first owner
}
export type PartnerInvitation = {
  kind: "partner"
  id: number
  email: string
  program_id: number
  partner_id: number
}

/** The pending invitation of a token. Throws "invalid" if it is unknown, used or expired. */
export async function findInvitation(token: string) {
  if (!isToken("affi_", token)) throw notPending()
  const token_hash = hashOf(token)

  const [memberInvitation] = await sql<[MemberInvitation?]>`
    select 'member' as kind, id, email, workspace_id, role, invited_by
    from invitations
    where token_hash = ${token_hash} and accepted_at is null and expires_at > now()
  `
  if (memberInvitation) {
    await requireInviterCanInvite(memberInvitation)
    return memberInvitation
  }
  const [partnerInvitation] = await sql<[PartnerInvitation?]>`
    select 'partner' as kind, id, email, program_id, partner_id
    from partner_invitations
    where token_hash = ${token_hash} and accepted_at is null and expires_at > now()
  `
  if (partnerInvitation) return partnerInvitation
  throw notPending()
}

/** The e-mail address of the account that accepts. A partner may choose another than the invited. */
export const inviteeEmail = (
  { kind, email }: MemberInvitation | PartnerInvitation,
  chosen: string | undefined,
): string => (kind === "partner" && chosen) || email

/** Marks an invitation as used. Only one of several concurrent attempts succeeds. Throws "invalid". */
export async function redeemInvitation(
  sql: Transaction,
  { kind, id }: MemberInvitation | PartnerInvitation,
  token: string,
) {
  const used = await sql`
    update ${sql(kind === "member" ? "invitations" : "partner_invitations")}
    set accepted_at = now()
    where id = ${id}
      and token_hash = ${hashOf(token)} -- not replaced meanwhile
      and accepted_at is null
      and expires_at > now()
  `
  if (used.count === 0) throw notPending()
}

/** Whether anyone has an account. Until then, a command on the server may invite the first owner. */
export async function hasAccounts(sql: Database | Transaction): Promise<boolean> {
  const [user] = await sql`
    select 1
    from users
    limit 1
  `
  return user !== undefined
}

/** An invitation is valid only while its sender may still invite. Throws "invalid". */
async function requireInviterCanInvite({ workspace_id, role, invited_by }: MemberInvitation) {
  if (invited_by === null) {
    if (await hasAccounts(sql)) throw notPending()
    return
  }
  await requireCanManage(sql, { workspace_id, user_id: invited_by }, role).catch(error => {
    throw error instanceof Fault ? notPending() : error
  })
}

const notPending = () =>
  new Fault("invalid", "token is unknown, used or expired: ask for a new invitation.")
