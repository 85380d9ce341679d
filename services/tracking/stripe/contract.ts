import { type Static, Type } from "@sinclair/typebox"
import { operation } from "../../../lib/bus/operation"
import { Flag, Id } from "../../../lib/fields"

/** An event as Stripe signs it. What stands in `object` follows from `type` and the API version. */
export const StripeEvent = Type.Object({
  id: Type.RegExp(/^[!-~]{1,255}$/, { description: "the id of an event (evt_…)" }),
  type: Type.RegExp(/^[!-~]{1,255}$/, { description: "the type of an event, like invoice.paid" }),
  livemode: Type.Optional(Flag), // false: it is of Stripe's test mode
  data: Type.Object(
    { object: Type.Record(Type.String(), Type.Unknown(), { description: "an object" }) },
    { description: "an object" },
  ),
})

export type StripeEvent = Static<typeof StripeEvent>

/**
 * Stores what a verified event of Stripe's says, once for each event id, and applies it: a paid
 * subscription invoice or checkout session as a sale (recordSale), refunds as refunds of their
 * sale (refundSale), each once, however many events tell of it. Once answered, it comes about:
 * a refund when its sale is there. Safe to repeat. Faults: unavailable.
 */
export const recordStripeEvent = operation("tracking.stripe_event.record", {
  request: Type.Object({ program_id: Id, event: StripeEvent }),
  reply: Type.Object({}),
})
