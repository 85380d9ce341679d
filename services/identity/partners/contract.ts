import { Type } from "@sinclair/typebox"
import { operation } from "../../../lib/bus/operation"
import { Id } from "../../../lib/fields"

/** The partner account of a user. Faults: forbidden (the user has none). */
export const permitPartner = operation("identity.partner.permit", {
  request: Type.Object({ user_id: Id }),
  reply: Type.Object({ account_id: Id }),
})
