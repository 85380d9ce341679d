import type { RequestOf } from "../../../lib/bus/operation"
import type * as contract from "../contract"
import { findInvitation, inviteeOf } from "./invitations"

export async function findInvitee({ token, email }: RequestOf<typeof contract.findInvitee>) {
  return { email: inviteeOf(await findInvitation(token), email) }
}
