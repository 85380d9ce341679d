import { Type } from "@sinclair/typebox"
import { operation } from "../../../lib/bus/operation"
import { Email, Id, Time, Title } from "../../../lib/fields"
import { Role } from "../access/contract"
import { KnownPassword, SignedIn } from "../accounts/contract"

/** The body of POST /api/workspaces/:id/invitations. */
export const NewInvitation = Type.Object({ email: Email, role: Role })

/**
 * Invites somebody; an open invitation of the same address is replaced. The token is told here and
 * never again. Faults: forbidden (only an owner invites an owner), conflict (a member already).
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

/** Lets the person behind a partner have an account. The token is told here and never again.
 * Faults: missing, conflict (removed, or has an account). */
export const invitePartner = operation("identity.partner.invite", {
  request: Type.Object({ program_id: Id, partner_id: Id }),
  reply: Type.Object({ partner_id: Id, token: Type.String(), expires_at: Time }),
})

/** The body of POST /api/auth/accept-invitation. */
export const Acceptance = Type.Object({
  token: Type.String({ maxLength: 255, description: "an invitation's token" }),
  password: KnownPassword, // of an account that there is, or of a new one
  name: Type.Optional(Title), // of a new account; made from its address
  email: Type.Optional(Email), // of a partner's account; the one that the program knows
})

/** The address whose password accepting asks for. Faults: invalid (as acceptInvitation). */
export const findInvitee = operation("identity.invitation.find_invitee", {
  request: Type.Pick(Acceptance, ["token", "email"]),
  reply: Type.Object({ email: Type.String() }),
})

/**
 * Accepts an invitation, of a workspace or of a program to its partner, and signs in. An account
 * that exists gives its password; else one is made. The token is used up by it.
 * Faults: invalid (no open invitation has this token, no password for an account), unauthorized
 * (the password is wrong), conflict (a member already, an account was made meanwhile).
 */
export const acceptInvitation = operation("identity.invitation.accept", {
  request: Acceptance,
  reply: SignedIn,
})
