import type { Answer } from "../client"

type Webhook = Answer<"listWebhookDeliveries">["data"][number]
type Sent = Answer<"showWebhookDelivery">["data"]

/** One event, as it was or will be sent to a receiver. `type` is of the receiver's vocabulary. */
export type Delivery = Omit<Webhook, "type"> & { type: string }
export type DeliveryStatus = Delivery["status"]

/** `headers` are those that a receiver of webhooks verifies. */
export type Attempt = Delivery["attempts"][number] & Partial<Sent["attempts"][number]>

/** A delivery with its request. Webhooks are posted to the endpoint's address. */
export type DeliveryDetails = Omit<Delivery, "attempts"> & {
  attempts: Attempt[]
  body: string | null
  method?: string
  url?: string
}

/** What each type of event is called, by type. */
export type TypeNames = Record<string, string>
