import type { RequestOf } from "../../../lib/bus/operation"
import type * as contract from "../contract"
import { sql } from "../db"
import { isFor } from "./notifications"
import { showNotification } from "./show-notification"

type Asked = RequestOf<typeof contract.markNotificationRead>

export async function markNotificationRead({ reader, notification_id }: Asked) {
  await sql`
    update notifications as notice
    set read_at = now()
    where id = ${notification_id}
      and ${isFor(reader)}
      and read_at is null
  `
  return showNotification({ reader, notification_id })
}
