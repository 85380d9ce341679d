import type { PostbackDelivery, PostbackDeliveryDetails, PostbackDeliveryKey } from "../contract"
import { sql } from "../db"
import { deliveryColumns } from "../deliveries/find-deliveries"
import { type Content, contentColumns, requestOfDelivery } from "../deliveries/postback-attempt"
import { deliveryMissing } from "../deliveries/show-delivery"
import { eventId } from "../events/event-body"
import { findPostback } from "../postbacks/postbacks"
import { ofPostback } from "./find-deliveries"

type Row = Omit<PostbackDelivery, "event_id" | "attempts"> &
  Content & {
    event_key: string
    attempts: (PostbackDelivery["attempts"][number] & { signature: null })[]
  }

/** Shows a delivery with the request that it would send now: requests are not stored. */
export async function showPostbackDelivery({
  delivery_id,
  ...key
}: PostbackDeliveryKey): Promise<PostbackDeliveryDetails> {
  await findPostback(sql, key)
  const [row] = await sql<[Row?]>`
    select ${deliveryColumns}, ${contentColumns}
    from deliveries as delivery
    join postbacks as postback on postback.id = ${key.postback_id}
    left join events as event on event.id = event_id
    where delivery.id = ${delivery_id}
      and ${ofPostback(key)}
  `
  if (!row) throw deliveryMissing()
  const { event_key, attempts, own_event, template, receiver, subject, ...delivery } = row
  const request = await requestOfDelivery({ own_event, template, receiver, subject })
  const { method, url, body } = request
  return {
    ...delivery,
    event_id: eventId(event_key),
    attempts: attempts.map(({ signature: _, ...attempt }) => attempt),
    ...{ method, url, body },
  }
}
