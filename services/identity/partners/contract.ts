import { Type } from "@sinclair/typebox"
import { operation } from "../../../lib/bus/operation"
import { Id, OneOf } from "../../../lib/fields"

/**
 * Unbinds the account of a partner, who can then be invited again. commissions knows it, and both
 * sides are notified, before the reply. Faults: missing (no account is bound), unavailable (the
 * account is unbound, but may still see the partner's notifications for a moment).
 */
export const unbindPartner = operation("identity.partner.unbind", {
  request: Type.Object({ program_id: Id, partner_id: Id }),
  reply: Type.Object({}),
})

/** The partner account of a user. Faults: forbidden (the user has none). */
export const permitPartner = operation("identity.partner.permit", {
  request: Type.Object({ user_id: Id }),
  reply: Type.Object({ account_id: Id }),
})

/**
 * Records in the audit log that a member looks at a program as one of its partners: once an hour for
 * the same member and partner. Faults: none.
 */
export const recordPartnerView = operation("identity.partner_view.record", {
  request: Type.Object({ user_id: Id, workspace_id: Id, program_id: Id, partner_id: Id }),
  reply: Type.Object({}),
})

/** What is known of the account of a partner. None: no account is bound, and no invitation open. */
export const PartnerAccount = OneOf("none", "invited", "bound")

/**
 * The accounts of these partners of a program, without those that have none. An invitation is open
 * until it is accepted or expires. Faults: none.
 */
export const listPartnerAccounts = operation("identity.partner.list_accounts", {
  request: Type.Object({ program_id: Id, partner_ids: Type.Array(Id) }),
  reply: Type.Object({
    accounts: Type.Array(Type.Object({ partner_id: Id, account: PartnerAccount })),
  }),
})
