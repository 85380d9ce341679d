import type { RequestOf } from "../../../lib/bus/operation"
import type * as contract from "../contract"
import { findInvitation, inviteeEmail } from "./invitations"

export async function findInvitee({ token, email }: RequestOf<typeof contract.findInvitee>) {
  return { email: inviteeEmail(await findInvitation(token), email) }
}
