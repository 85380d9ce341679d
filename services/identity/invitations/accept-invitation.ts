import type { RequestOf } from "../../../lib/bus/operation"
import type { Transaction } from "../../../lib/db/database"
import { Fault } from "../../../lib/fault"
import { NO_ACTOR, recordChange } from "../../../lib/record-change"
import { currentContext } from "../../../lib/request-context"
import { mintDeviceToken } from "../accounts/device-tokens"
import { hashPassword, isPassword, PASSWORD_MIN } from "../accounts/passwords"
import { createUser, findDefaultWorkspace, findUserByEmail, type User } from "../accounts/users"
import type * as contract from "../contract"
import { sql } from "../db"
import { bindPartner, sendBinding } from "../partners/partner-accounts"
import { programArchived, workspaceOf } from "../programs/programs"
import { startSession } from "../sessions/sessions"
import {
  findInvitation,
  inviteeEmail,
  type MemberInvitation,
  type PartnerInvitation,
  redeemInvitation,
} from "./invitations"

type Request = RequestOf<typeof contract.acceptInvitation>

/** The token identifies the invitation, the password the person: both are required. */
export async function acceptInvitation(request: Request) {
  const invitation = await findInvitation(request.token)
  const isPartner = invitation.kind === "partner"
  const findOrCreate = await prepareUser(request, inviteeEmail(invitation, request.email))

  const accepted = await sql.begin(async sql => {
    await redeemInvitation(sql, invitation, request.token)
    const { password_hash, ...user } = await findOrCreate(sql)
    const workspace = await applyInvitation(sql, user, invitation)
    const device_token = mintDeviceToken({ id: user.id, password_hash })
    return { user, workspace, device_token, ...(await startSession(sql, user.id)) }
  })
  if (isPartner) await sendBinding(invitation).catch(() => {}) // the sweeper retries
  return accepted
}

/** Returns what finds or creates the user. Hashing is slow, so it stays out of the transaction. */
async function prepareUser({ password, name }: Request, email: string) {
  const known = await findUserByEmail(email)
  if (known) {
    if (await isPassword(password, known.password_hash)) return async () => known
    throw new Fault("unauthorized", "This address has an account, but the password is wrong.")
  }
  if ([...password].length < PASSWORD_MIN) {
    throw new Fault("invalid", `password must be a string of ${PASSWORD_MIN} to 256 characters.`)
  }
  const userName = name ?? email.slice(0, email.lastIndexOf("@"))
  const password_hash = await hashPassword(password, [email, userName])
  const account = { email, name: userName, password_hash }
  return async (sql: Transaction) => ({ ...(await createUser(sql, account)), password_hash })
}

/** Returns the joined workspace, or a partner's default workspace if there is one. */
async function applyInvitation(
  sql: Transaction,
  user: User,
  invitation: MemberInvitation | PartnerInvitation,
) {
  if (invitation.kind === "partner") {
    await refuseArchived(sql, invitation)
    await bindPartner(sql, user.id, invitation)
    await recordBinding(sql, invitation)
    return (await findDefaultWorkspace(user.id, sql)) ?? null
  }
  const { workspace_id, role } = invitation
  const joined = await sql`
    insert into memberships (workspace_id, user_id, role)
    values (${workspace_id}, ${user.id}, ${role})
    on conflict do nothing -- a suspended member stays suspended
  `
  if (joined.count === 0) throw new Fault("conflict", "You are already a member of this workspace.")
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

/** A partner cannot join an archived program (behaviour 3.2.1). Throws "conflict". */
async function refuseArchived(sql: Transaction, { program_id }: PartnerInvitation) {
  const [program] = await sql<[{ status: string }]>`
    select status
    from programs
    where id = ${program_id}
    for share -- archiving waits
  `
  if (program.status === "archived") throw programArchived()
}

/** The program learns that the partner has accepted, but not who the person is (behaviour 2.13). */
async function recordBinding(sql: Transaction, { program_id, partner_id }: PartnerInvitation) {
  const workspace_id = await workspaceOf(sql, program_id)
  const change = { workspace_id, program_id, subject_id: partner_id }
  await recordChange(sql, { ...change, action: "partner.accept_invitation", details: {} }, NO_ACTOR)
}
