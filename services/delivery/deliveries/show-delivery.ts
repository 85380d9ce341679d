import { Fault } from "../../../lib/fault"
import type { DeliveryDetails, DeliveryKey } from "../contract"
import { sql } from "../db"
import { type EventContent, eventBody, eventId } from "../events/event-body"
import { eventContent } from "./event-content"
import { deliveryColumns, ofEndpoint } from "./find-deliveries"
import { signedHeaders } from "./webhook-request"

type Row = Omit<DeliveryDetails, "attempts" | "body" | "event_id"> & {
  attempts: { at: string; signature: string | null }[]
  event_key: string
  payload: "full" | "thin"
  content: EventContent
}

/** The body is made as for each attempt, because nothing stores it. */
export async function showDelivery({ delivery_id, ...key }: DeliveryKey): Promise<DeliveryDetails> {
  const [row] = await sql<[Row?]>`
    select ${deliveryColumns}, delivery.payload, ${eventContent} as content
    from deliveries as delivery
    left join events as event on event.id = event_id
    where delivery.id = ${delivery_id}
      and ${ofEndpoint(key)}
  `
  if (!row) throw deliveryMissing()
  const { attempts, event_key, payload, content, ...delivery } = row
  return {
    ...delivery,
    event_id: eventId(event_key),
    body: eventBody(content, payload),
    attempts: attempts.map(({ signature, ...attempt }) => ({
      ...(attempt as Omit<DeliveryDetails["attempts"][number], "headers">),
      headers: signature && signedHeaders(event_key, new Date(attempt.at), signature),
    })) as DeliveryDetails["attempts"],
  }
}

export const deliveryMissing = () => new Fault("missing", "Delivery not found.")
