import type { RequestOf } from "../../../lib/bus/operation"
import type { Transaction } from "../../../lib/db/database"
import { Fault } from "../../../lib/fault"
import { recordChange } from "../../../lib/record-change"
import { currentContext } from "../../../lib/request-context"
import { hashPassword, isPassword, PASSWORD_MIN } from "../accounts/passwords"
import { createUser, findDefaultWorkspace, findUserByEmail, type User } from "../accounts/users"
import type * as contract from "../contract"
import { sql } from "../db"
import { bindPartner, tellBinding } from "../partners/partner-accounts"
import { workspaceOf } from "../programs/programs"
import { beginSession } from "../sessions/sessions"
import {
  findInvitation,
  inviteeOf,
  type MemberInvitation,
  type PartnerInvitation,
  takeInvitation,
} from "./invitations"

type Asked = RequestOf<typeof contract.acceptInvitation>

/** The token says what for, the password who: neither is enough without the other. */
export async function acceptInvitation(asked: Asked) {
  const invitation = await findInvitation(asked.token)
  const isPartner = invitation.kind === "partner"
  const findOrCreate = await identified(asked, inviteeOf(invitation, asked.email))

  const accepted = await sql.begin(async sql => {
    await takeInvitation(sql, invitation, asked.token)
    const user = await findOrCreate(sql)
    const workspace = await join(sql, user, invitation)
    return { user, workspace, ...(await beginSession(sql, user.id)) }
  })
  if (isPartner) await tellBinding(invitation).catch(() => {}) // the sweeper goes on with it
  return accepted
}

/** Whoever the password proves it is, or will be. Passwords are slow: not within a transaction. */
async function identified({ password, name }: Asked, email: string) {
  const known = await findUserByEmail(email)
  if (known) {
    const { password_hash, ...user } = known
    if (await isPassword(password, password_hash)) return async () => user
    throw new Fault("unauthorized", "This address has an account, and the password is not its.")
  }
  if ([...password].length < PASSWORD_MIN) {
    throw new Fault("invalid", `password must be a text of ${PASSWORD_MIN} to 256 characters.`)
  }
  const password_hash = await hashPassword(password)
  const named = name ?? email.slice(0, email.lastIndexOf("@"))
  return (sql: Transaction) => createUser(sql, { email, name: named, password_hash })
}

/** The workspace that is now, or was before, the user's. */
async function join(
  sql: Transaction,
  user: User,
  invitation: MemberInvitation | PartnerInvitation,
) {
  if (invitation.kind === "partner") {
    await bindPartner(sql, user.id, invitation)
    await recordBinding(sql, invitation)
    return (await findDefaultWorkspace(user.id, sql)) ?? null
  }
  const { workspace_id, role } = invitation
  const joined = await sql`
    insert into memberships (workspace_id, user_id, role)
    values (${workspace_id}, ${user.id}, ${role})
    on conflict do nothing -- a suspended member stays one
  `
  if (joined.count === 0) throw new Fault("conflict", "You are a member of this workspace.")
  const actor = { ...currentContext().actor, kind: "user" as const, id: user.id }
  const change = { workspace_id, subject_id: user.id, details: { role } }
  await recordChange(sql, { ...change, action: "member.join" }, actor)
  const [workspace] = await sql<[{ id: number; name: string }]>`
    select id, name
    from workspaces
    where id = ${workspace_id}
  `
  return workspace
}

/** The program learns that the partner has accepted, and nothing of the person (contract 2). */
async function recordBinding(sql: Transaction, { program_id, partner_id }: PartnerInvitation) {
  const workspace_id = await workspaceOf(sql, program_id)
  const named = { workspace_id, program_id, subject_id: partner_id }
  const nobody = { kind: "none", id: null, address: null } as const
  await recordChange(sql, { ...named, action: "partner.accept_invitation", details: {} }, nobody)
}
