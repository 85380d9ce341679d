import { Elysia } from "elysia"
import { call } from "../lib/bus"
import { insist } from "../lib/doubt"
import { verifyWebhook } from "../services/identity/contract"
import { recordStripeEvent } from "../services/tracking/contract"
import { readBody, UNREAD } from "./body"
import { pathId, refuseUnstorableQuery } from "./query"

const RECORD_TIMEOUT_MS = 5_000 // stored at once, then applied; unanswered, Stripe sends it again

/** What a payment processor tells of itself: the signature is the credential. */
export const webhooks = new Elysia({ prefix: "/api/webhooks" }).post(
  "/stripe/:programId",
  async ({ request, params }) => {
    const { bytes } = await readBody(request) // 413, 415
    const program_id = pathId(params.programId)
    refuseUnstorableQuery(request)
    const signature = request.headers.get("stripe-signature") ?? ""
    const payload = Buffer.from(bytes).toString("base64") // as it was signed, to the byte

    const { event } = await insist(() => call(verifyWebhook, { program_id, payload, signature }))
    await call(recordStripeEvent, { program_id, event }, RECORD_TIMEOUT_MS)
    return { received: true }
  },
  UNREAD,
)
