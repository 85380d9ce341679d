import { Type } from "@sinclair/typebox"
import { operation } from "../../../lib/bus/operation"
import { Id, LinkCode, Nullable, OneOf } from "../../../lib/fields"

/**
 * Keeps what a click and a sale must know of a partner-program record. Safe to repeat; an older
 * version than the one known is ignored. With `first_link`, the partner is new and gets it
 * (code null: made up). Faults: conflict (the code is taken), and then nothing was written.
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
 * Undoes a putPartner whose creation came to nothing: its links go, their codes are free, and a
 * late putPartner of version 1 finds the partner removed. Safe to repeat.
 */
export const forgetPartner = operation("tracking.partner.forget", {
  request: Type.Object({ program_id: Id, partner_id: Id }),
  reply: Type.Object({}),
})
