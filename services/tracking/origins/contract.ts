import { type Static, Type } from "@sinclair/typebox"
import { operation } from "../../../lib/bus/operation"
import { Id, Nullable, Time } from "../../../lib/fields"

const ORIGINS_MAX = 100

const Label = Nullable(Type.String()) // null: the link brought none, or the customer was erased

/**
 * What a partner may know of the click that a lead or sale came from: its own ids and those of its
 * link, and nothing of the customer. A renewal has the click of its subscription's first sale.
 */
export const Origin = Type.Object({
  id: Id, // of the lead or sale
  program_id: Id,
  partner_id: Id,
  link_code: Type.String(),
  partner_click_id: Label,
  sub1: Label,
  sub2: Label,
  sub3: Label,
  sub4: Label,
  sub5: Label,
  click_ref: Nullable(Type.String()), // opaque: leads to no click_id. Null: there was no click
  clicked_at: Nullable(Time),
  country: Nullable(Type.String()),
  device_type: Nullable(Type.String()),
})
export type Origin = Static<typeof Origin>

const OriginOfSale = Type.Composite([
  Origin,
  Type.Object({
    amount_cents: Type.Integer(),
    currency: Type.String(),
    is_renewal: Type.Boolean(),
  }),
])

/**
 * The origins of leads and sales of any program, without test events and those that do not exist.
 * Faults: none.
 */
export const showOrigins = operation("tracking.origin.show", {
  request: Type.Object({
    lead_ids: Type.Array(Id, { maxItems: ORIGINS_MAX }),
    sale_ids: Type.Array(Id, { maxItems: ORIGINS_MAX }),
  }),
  reply: Type.Object({ leads: Type.Array(Origin), sales: Type.Array(OriginOfSale) }),
})
