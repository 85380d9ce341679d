import type { RequestOf } from "../../../lib/bus/operation"
import type * as contract from "../contract"
import { sql } from "../db"
import { isAddressedTo } from "./notifications"

const ROWS_MAX = 5_000 // per statement, so that a backlog of years does not exceed its timeout

type Request = RequestOf<typeof contract.markAllNotificationsRead>

/** Locks rows in id order, so that two concurrent calls cannot deadlock. */
export async function markAllNotificationsRead({ reader, through_id }: Request) {
  for (;;) {
    const marked = await sql`
      update notifications
      set read_at = now()
      where id in (
        select id
        from notifications as notification
        where ${isAddressedTo(reader)}
          and read_at is null
          ${through_id === undefined ? sql`` : sql`and id <= ${through_id}`}
        order by id
        limit ${ROWS_MAX}
        for update
      )
    `
    if (marked.count < ROWS_MAX) return {}
  }
}
