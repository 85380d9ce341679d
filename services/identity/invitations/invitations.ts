import type { Transaction } from "../../../lib/db/database"
import { Fault } from "../../../lib/fault"
import { hashOf, isToken } from "../../../lib/token"
import type { Role } from "../contract"
import { sql } from "../db"
import { refuseUnlessMay } from "../workspaces/members"

export type MemberInvitation = {
  kind: "member"
  id: number
  email: string
  workspace_id: number
  role: Role
  invited_by: number
}
export type PartnerInvitation = {
  kind: "partner"
  id: number
  email: string
  program_id: number
  partner_id: number
}

/** The open invitation of a token. Throws "invalid" if it is unknown, used or expired. */
export async function findInvitation(token: string) {
  if (!isToken("affi_", token)) throw ended()
  const token_hash = hashOf(token)

  const [of_member] = await sql<[MemberInvitation?]>`
    select 'member' as kind, id, email, workspace_id, role, invited_by
    from invitations
    where token_hash = ${token_hash} and accepted_at is null and expires_at > now()
  `
  if (of_member) {
    await refuseUnlessStands(of_member)
    return of_member
  }
  const [of_partner] = await sql<[PartnerInvitation?]>`
    select 'partner' as kind, id, email, program_id, partner_id
    from partner_invitations
    where token_hash = ${token_hash} and accepted_at is null and expires_at > now()
  `
  if (of_partner) return of_partner
  throw ended()
}

/** Whose account accepts it: a partner may name another address than the program knows. */
export const inviteeOf = (
  { kind, email }: MemberInvitation | PartnerInvitation,
  named: string | undefined,
): string => (kind === "partner" && named) || email

/** Uses an invitation up. Of several that race one does; the others find it "invalid". */
export async function takeInvitation(
  sql: Transaction,
  { kind, id }: MemberInvitation | PartnerInvitation,
  token: string,
) {
  const taken = await sql`
    update ${sql(kind === "member" ? "invitations" : "partner_invitations")}
    set accepted_at = now()
    where id = ${id}
      and token_hash = ${hashOf(token)} -- not replaced meanwhile
      and accepted_at is null
      and expires_at > now()
  `
  if (taken.count === 0) throw ended()
}

/** It is worth what its sender is: who may not invite any more has not invited either. */
async function refuseUnlessStands({ workspace_id, role, invited_by }: MemberInvitation) {
  await refuseUnlessMay(sql, { workspace_id, user_id: invited_by }, role).catch(error => {
    throw error instanceof Fault ? ended() : error
  })
}

const ended = () => new Fault("invalid", "token is of no open invitation: ask for another one.")
