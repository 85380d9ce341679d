import { Type } from "@sinclair/typebox"
import { call } from "../../../lib/bus/bus"
import { retryOnSilence } from "../../../lib/retry"
import { verifyStripeWebhook } from "../../../services/identity/contract"
import { recordStripeEvent, StripeEvent } from "../../../services/tracking/contract"
import type { Access } from "../../http/access"
import { ANSWER_MS_MAX } from "../../http/deadline"
import { limitAddress } from "../../http/limit"
import { pathId } from "../../http/query"
import { route } from "../../http/route"

const RECORD_TIMEOUT_MS = ANSWER_MS_MAX // stored, then applied; without a reply Stripe repeats it

/** Stripe's signature of the body under the program's secret is the credential (404, 400). */
const signed: Access<{ program_id: number }> = {
  security: [{ stripeSignature: [] }],
  refused: [],
  async authorize(request, params, body) {
    const program_id = pathId(params.programId)
    const signature = request.headers.get("stripe-signature") ?? ""
    const payload = Buffer.from(body!.bytes).toString("base64") // the exact bytes that were signed
    await retryOnSilence(() => call(verifyStripeWebhook, { program_id, payload, signature }))
    return { program_id }
  },
}

/** Receives the events that Stripe sends (behaviour 4.7). */
export const stripeWebhook = route(
  {
    id: "receiveStripeEvent",
    method: "POST",
    path: "/api/webhooks/stripe/:programId",
    summary: "Receive an event from Stripe, and record its sale or refund",
    description:
      "A 200 means that the event is stored and will be applied. Other types of event are ignored, " +
      "and so are the sales of an archived program.",
    access: signed,
    limit: request => limitAddress("webhooks", request),
    body: StripeEvent,
    answers: {
      200: Type.Object({ received: Type.Literal(true) }),
      400: "The signature does not match the body, or is more than five minutes away from now.",
      404: "The program does not exist or has no signing secret.",
    },
  },
  async ({ program_id, body: event }) => {
    await call(recordStripeEvent, { program_id, event }, RECORD_TIMEOUT_MS)
    return { received: true as const }
  },
)
