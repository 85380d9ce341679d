import Stripe from "stripe"
import type { RequestOf } from "../../../lib/bus/operation"
import { Fault } from "../../../lib/fault"
import type * as contract from "../contract"
import { openStripeSecret } from "./stripe-secrets"

type Request = RequestOf<typeof contract.verifyStripeWebhook>

const TOLERANCE_SECONDS = 300 // as Stripe's library allows for old signatures

const subtle = Stripe.createSubtleCryptoProvider()

export async function verifyStripeWebhook({ program_id, payload, signature }: Request) {
  const secret = await openStripeSecret(program_id)
  if (!secret) throw new Fault("missing", "Not found.")

  const body = Buffer.from(payload, "base64")
  await Stripe.webhooks
    .constructEventAsync(body, signature, secret, undefined, subtle)
    .catch(() => Promise.reject(notSigned()))
  if (isFromFuture(signature)) throw notSigned()
  return {}
}

/** Stripe's library refuses a signature that is too old, but not one that is too new. */
function isFromFuture(signature: string): boolean {
  const times = [...signature.matchAll(/(?:^|,)t=(\d+)/g)].map(([, seconds]) => Number(seconds))
  return times.some(time => time > Date.now() / 1_000 + TOLERANCE_SECONDS)
}

const notSigned = () =>
  new Fault(
    "invalid",
    "Stripe-Signature is missing, expired, from the future, or does not match the body.",
  )
