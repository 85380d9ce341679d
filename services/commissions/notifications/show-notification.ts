import type { RequestOf } from "../../../lib/bus/operation"
import type * as contract from "../contract"
import type { Notification } from "../contract"
import { sql } from "../db"
import { isFor, noNotification, shownNotification } from "./notifications"

type Asked = RequestOf<typeof contract.showNotification>

export async function showNotification({ reader, notification_id }: Asked) {
  const [notification] = await sql<[Notification?]>`
    select ${shownNotification}
    from notifications as notice
    join commissions as commission on commission.id = commission_id
    where notice.id = ${notification_id}
      and ${isFor(reader)}
  `
  if (!notification) throw noNotification()
  return notification
}
