import { type Static, Type } from "@sinclair/typebox"
import { operation } from "../../../lib/bus/operation"
import { Email, Flag, Id, ListOf, Nullable, OneOf, Page, Time, Title } from "../../../lib/fields"
import { Role } from "../access/contract"
import { KnownPassword, SignedInOnDevice } from "../accounts/contract"

/** The body of POST /api/workspaces/:id/invitations. */
export const NewInvitation = Type.Object({ email: Email, role: Role })

/**
 * Invites a person to a workspace, replacing a pending invitation to the same address. The token is
 * shown only once. Faults: forbidden (only an owner may invite an owner), conflict (already a
 * member).
 */
export const inviteMember = operation("identity.member.invite", {
  request: Type.Object({ user_id: Id, workspace_id: Id, invitation: NewInvitation }),
  reply: Type.Object({
    id: Id,
    email: Type.String(),
    role: Role,
    token: Type.String(),
    expires_at: Time,
  }),
})

/** An invitation to a workspace that is not accepted yet. */
export const PendingInvitation = Type.Object({
  id: Id,
  email: Type.String(),
  role: Role,
  invited_by: Nullable(Id), // null: the command that invites the first owner
  invited_by_name: Nullable(Type.String()),
  created_at: Time,
  expires_at: Time,
  has_expired: Flag, // its token is refused
})

export type PendingInvitation = Static<typeof PendingInvitation>

/** The pending invitations to a workspace by id, expired ones included. Faults: none. */
export const listInvitations = operation("identity.invitation.list", {
  request: Type.Object({ workspace_id: Id, page: Page }),
  reply: ListOf(PendingInvitation),
})

const WithdrawalKey = { workspace_id: Id, invitation_id: Id, user_id: Id } // of who withdraws it

/**
 * Checks whether a member may withdraw an invitation. Faults: missing, forbidden (only an owner may
 * withdraw an owner's).
 */
export const permitInvitation = operation("identity.invitation.permit", {
  request: Type.Object(WithdrawalKey),
  reply: Type.Object({}),
})

/** Withdraws a pending invitation: its token is refused. Faults: as permitInvitation. */
export const withdrawInvitation = operation("identity.invitation.withdraw", {
  request: Type.Object(WithdrawalKey),
  reply: Type.Object({}),
})

/**
 * Invites a partner to create an account. The token is shown only once.
 * Faults: missing, conflict (the partner has been removed or already has an account).
 */
export const invitePartner = operation("identity.partner.invite", {
  request: Type.Object({ program_id: Id, partner_id: Id }),
  reply: Type.Object({ partner_id: Id, token: Type.String(), expires_at: Time }),
})

/** The body of POST /api/auth/accept-invitation. */
export const Acceptance = Type.Object({
  token: Type.String({ maxLength: 255, description: "an invitation's token" }),
  password: KnownPassword, // an existing account's, or the one of the new account
  name: Type.Optional(Title), // of a new account; absent: derived from its address
  email: Type.Optional(Email), // of a partner's account; absent: the invited address
})

/** The body of POST /api/auth/show-invitation. */
export const InvitationToken = Type.Pick(Acceptance, ["token"])

/** What a pending invitation is to: a workspace as a member, or a program as its partner. */
export const ShownInvitation = Type.Object({
  kind: OneOf("member", "partner"),
  email: Type.String(), // the invited address
  workspace_name: Type.String(),
  role: Nullable(Role), // null: of a partner
  program_name: Nullable(Type.String()), // null: of a member
  invited_by_name: Nullable(Type.String()), // null: not known
  expires_at: Time,
})

export type ShownInvitation = Static<typeof ShownInvitation>

/** Shows who invites to what, to a caller that has its token. Faults: invalid (as acceptInvitation). */
export const showInvitation = operation("identity.invitation.show", {
  request: InvitationToken,
  reply: ShownInvitation,
})

/** The address of the account that accepts an invitation. Faults: invalid (as acceptInvitation). */
export const findInvitee = operation("identity.invitation.find_invitee", {
  request: Type.Pick(Acceptance, ["token", "email"]),
  reply: Type.Object({ email: Type.String() }),
})

/**
 * Accepts an invitation to a workspace or to be a partner, and signs in. An existing account needs
 * its password; otherwise an account is created. The token works once.
 * Faults: invalid (no pending invitation has this token, or the password is too short or too common
 * for a new account), unauthorized (wrong password), conflict (already a member, the partner's
 * program is archived, or another request has just created the account).
 */
export const acceptInvitation = operation("identity.invitation.accept", {
  request: Acceptance,
  reply: SignedInOnDevice,
})
