import { Type } from "@sinclair/typebox"
import { operation } from "../../../lib/bus/operation"
import { Id, LinkCode, Nullable, OneOf } from "../../../lib/fields"

/**
 * Stores the status of a partner-program record, which clicks and sales depend on. Safe to repeat;
 * an older version than the stored one is ignored. `first_link` is created with a new partner (code
 * null: generated). Faults: conflict (the code is taken; nothing was written).
 */
export const putPartner = operation("tracking.partner.put", {
  request: Type.Object({
    program_id: Id,
    partner_id: Id,
    version: Id,
    status: OneOf("approved", "suspended", "removed"),
    first_link: Type.Optional(Type.Object({ code: Nullable(LinkCode), name: Type.String() })),
  }),
  reply: Type.Object({}),
})

/**
 * Undoes the putPartner of a partner whose creation failed: deletes its links, which frees their
 * codes, and marks it as removed, so that a late putPartner of version 1 changes nothing. Safe to
 * repeat. Faults: none.
 */
export const forgetPartner = operation("tracking.partner.forget", {
  request: Type.Object({ program_id: Id, partner_id: Id }),
  reply: Type.Object({}),
})
