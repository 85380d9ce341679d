import type { RequestOf } from "../../../lib/bus/operation"
import type * as contract from "../contract"
import type { Notification } from "../contract"
import { sql } from "../db"
import { isAddressedTo, notificationColumns, notificationNotFound } from "./notifications"

type Request = RequestOf<typeof contract.showNotification>

export async function showNotification({ reader, notification_id }: Request) {
  const [notification] = await sql<[Notification?]>`
    select ${notificationColumns(reader)}
    from notifications as notification
    left join commissions as commission on commission.id = commission_id
    where notification.id = ${notification_id}
      and ${isAddressedTo(reader)}
  `
  if (!notification) throw notificationNotFound()
  return notification
}
