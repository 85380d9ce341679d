import { Webhook } from "standardwebhooks"
import { decrypt } from "../../../lib/encryption"
import { associatedDataOf } from "../endpoints/secrets"
import { type EventContent, eventBody, eventId } from "../events/event-body"
import type { OutgoingRequest } from "../outside/send"

/** What a webhook is made of. */
export type WebhookContent = {
  endpoint_id: number
  url: string
  sealed_secrets: string[] // the valid ones, the current one first
  payload: "full" | "thin"
  content: EventContent
}

export type SignedRequest = OutgoingRequest & { at: Date; signature: string }

/** Makes the request of an attempt: Standard Webhooks, signed with each valid secret (behaviour 12.4.1). */
export async function webhookRequest(webhook: WebhookContent): Promise<SignedRequest> {
  const { endpoint_id, url, sealed_secrets, payload, content } = webhook
  const at = new Date()
  const body = eventBody(content, payload)
  const secrets = await Promise.all(
    sealed_secrets.map(sealed => decrypt(sealed, associatedDataOf(endpoint_id))),
  )
  const signature = secrets
    .map(secret => new Webhook(secret).sign(eventId(content.event_key), at, body))
    .join(" ")
  const headers = {
    "content-type": "application/json",
    "user-agent": "Tributary-Webhooks/1",
    ...signedHeaders(content.event_key, at, signature),
  }
  return { method: "POST", url, headers, body, at, signature }
}

/** The headers that a receiver verifies. */
export const signedHeaders = (event_key: string, at: Date, signature: string) => ({
  "webhook-id": eventId(event_key),
  "webhook-timestamp": `${Math.floor(at.getTime() / 1_000)}`,
  "webhook-signature": signature,
})
