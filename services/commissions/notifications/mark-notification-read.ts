import type { RequestOf } from "../../../lib/bus/operation"
import type * as contract from "../contract"
import { sql } from "../db"
import { isAddressedTo } from "./notifications"
import { showNotification } from "./show-notification"

type Request = RequestOf<typeof contract.markNotificationRead>

export async function markNotificationRead({ reader, notification_id }: Request) {
  await sql`
    update notifications as notification
    set read_at = now()
    where id = ${notification_id}
      and ${isAddressedTo(reader)}
      and read_at is null
  `
  return showNotification({ reader, notification_id })
}
