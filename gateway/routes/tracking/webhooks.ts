import { Type } from "@sinclair/typebox"
import { Elysia } from "elysia"
import { call } from "../../../lib/bus/bus"
import { parse } from "../../../lib/bus/operation"
import { retryOnSilence } from "../../../lib/retry"
import { verifyStripeWebhook } from "../../../services/identity/contract"
import { recordStripeEvent, StripeEvent } from "../../../services/tracking/contract"
import { fieldsOf, readBody } from "../../http/body"
import { ANSWER_MS_MAX } from "../../http/deadline"
import { limitAddress } from "../../http/limit"
import { pathId } from "../../http/query"
import { SIGNATURE, writes } from "../../openapi/description"

const RECORD_TIMEOUT_MS = ANSWER_MS_MAX // stored, then applied; unanswered, Stripe sends it again

/** What a payment processor tells of itself: the signature is the credential. */
export const webhooks = new Elysia({ prefix: "/api/webhooks" }).post(
  "/stripe/:programId",
  async ({ request, params }) => {
    await limitAddress("webhooks", request) // 429
    const body = await readBody(request) // 413, 415
    const program_id = pathId(params.programId)
    const signature = request.headers.get("stripe-signature") ?? ""
    const payload = Buffer.from(body.bytes).toString("base64") // as it was signed, to the byte

    await retryOnSilence(() => call(verifyStripeWebhook, { program_id, payload, signature })) // 404, 400
    const event = parse(StripeEvent, fieldsOf(body))
    await call(recordStripeEvent, { program_id, event }, RECORD_TIMEOUT_MS)
    return { received: true }
  },
  writes({
    id: "receiveStripeEvent",
    summary: "Take an event of Stripe's, and the sale or refund that it tells of",
    description: "Once answered with 200 it comes about. Types that are none of ours are ignored.",
    by: SIGNATURE,
    body: StripeEvent,
    answers: {
      200: Type.Object({ received: Type.Literal(true) }),
      400: "The signature is not of this body, or older than five minutes.",
      404: "No such program, or it has no signing secret.",
    },
  }),
)
