import { Type } from "@sinclair/typebox"
import { operation } from "../../../lib/bus/operation"
import { Id, LinkCode, Name, Nullable, OneOf } from "../../../lib/fields"

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

/**
 * The partners of a program after `after_partner_id` that have a link whose code contains `search`,
 * in any case, by id, as many as fit into a message. `more_after` null: no more follow. Faults: none.
 */
export const listPartnersByCode = operation("tracking.partner.list_by_code", {
  request: Type.Object({
    program_id: Id,
    search: Name,
    after_partner_id: Type.Integer({ minimum: 0 }),
  }),
  reply: Type.Object({ partner_ids: Type.Array(Id), more_after: Nullable(Id) }),
})

const ClicksPosition = Type.Object({ clicks: Type.Integer(), partner_id: Id })

/**
 * The partners of a program in the order of their clicks, then of their ids, as many as fit into a
 * message. `after`: the `more_after` of the part before, null for the first. Faults: none.
 */
export const listPartnersByClicks = operation("tracking.partner.list_by_clicks", {
  request: Type.Object({
    program_id: Id,
    direction: OneOf("asc", "desc"),
    after: Nullable(ClicksPosition),
  }),
  reply: Type.Object({ partner_ids: Type.Array(Id), more_after: Nullable(ClicksPosition) }),
})
