import Stripe from "stripe"
import type { RequestOf } from "../../../lib/bus/operation"
import { Fault } from "../../../lib/fault"
import type * as contract from "../contract"
import { openStripeSecret } from "./stripe-secrets"

type Request = RequestOf<typeof contract.verifyStripeWebhook>

const subtle = Stripe.createSubtleCryptoProvider()

export async function verifyStripeWebhook({ program_id, payload, signature }: Request) {
  const secret = await openStripeSecret(program_id)
  if (!secret) throw new Fault("missing", "Not found.")

  const body = Buffer.from(payload, "base64")
  await Stripe.webhooks
    .constructEventAsync(body, signature, secret, undefined, subtle)
    .catch(() => Promise.reject(notSigned()))
  return {}
}

const notSigned = () =>
  new Fault("invalid", "Stripe-Signature is missing, too old, or does not match the body.")
