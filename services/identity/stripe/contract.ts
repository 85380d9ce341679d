import { Type } from "@sinclair/typebox"
import { operation } from "../../../lib/bus/operation"
import { Id } from "../../../lib/fields"

/**
 * Verifies that Stripe signed this webhook for a program: `payload` is the raw body in base64,
 * `signature` the header Stripe-Signature. The signing secret never leaves identity.
 * Faults: missing (the program is unknown or has no signing secret), invalid (the signature does
 * not match this body and secret, or is older than five minutes).
 */
export const verifyStripeWebhook = operation("identity.stripe_webhook.verify", {
  request: Type.Object({ program_id: Id, payload: Type.String(), signature: Type.String() }),
  reply: Type.Object({}),
})
