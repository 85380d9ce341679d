import { type Static, Type } from "@sinclair/typebox"
import { operation } from "../../../lib/bus/operation"
import { Flag, Id } from "../../../lib/fields"

/** An event as Stripe sends it. The shape of `object` depends on `type` and the API version. */
export const StripeEvent = Type.Object({
  id: Type.RegExp(/^[!-~]{1,255}$/, { description: "the id of an event (evt_…)" }),
  type: Type.RegExp(/^[!-~]{1,255}$/, { description: "the type of an event, like invoice.paid" }),
  livemode: Flag, // false: from Stripe's test mode
  created: Type.Optional(Type.Integer({ minimum: 0, description: "a time in seconds since 1970" })),
  data: Type.Object(
    { object: Type.Record(Type.String(), Type.Unknown(), { description: "an object" }) },
    { description: "an object" },
  ),
})

export type StripeEvent = Static<typeof StripeEvent>

/**
 * Stores a verified Stripe event once per event id and applies it (behaviour 4.7): a paid
 * subscription invoice or checkout session as a sale, a refund as a refund of its sale. Each counts
 * once, even if several events report it. A reply means that the event will be applied, a refund
 * as soon as its sale is stored, or is ignored: so are the sales of an archived program. Safe to
 * repeat.
 * Faults: invalid (created more than five minutes from now), unavailable.
 */
export const recordStripeEvent = operation("tracking.stripe_event.record", {
  request: Type.Object({ program_id: Id, event: StripeEvent }),
  reply: Type.Object({}),
})
