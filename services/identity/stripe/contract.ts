import { Type } from "@sinclair/typebox"
import { operation } from "../../../lib/bus/operation"
import { Id } from "../../../lib/fields"

/**
 * Whether Stripe has signed this for a program: `payload` is the raw body in base64, `signature`
 * the header Stripe-Signature. It is asked, so that the signing secret never leaves identity.
 * Faults: missing (no such program, archived, or without a signing secret), invalid (the
 * signature is not of this body and secret, or older than five minutes).
 */
export const verifyStripeWebhook = operation("identity.stripe_webhook.verify", {
  request: Type.Object({ program_id: Id, payload: Type.String(), signature: Type.String() }),
  reply: Type.Object({}),
})
