import type { RequestOf } from "../../../lib/bus/operation"
import type * as contract from "../contract"
import { sql } from "../db"
import { isFor } from "./notifications"

const MARKED_MAX = 5_000 // in one statement, so that years of them do not outlast its time

type Asked = RequestOf<typeof contract.markAllNotificationsRead>

/** Rows are locked in one order: two who do so at once would wait for each other. */
export async function markAllNotificationsRead({ reader, through_id }: Asked) {
  for (;;) {
    const marked = await sql`
      update notifications
      set read_at = now()
      where id in (
        select id
        from notifications as notice
        where ${isFor(reader)}
          and read_at is null
          ${through_id === undefined ? sql`` : sql`and id <= ${through_id}`}
        order by id
        limit ${MARKED_MAX}
        for update
      )
    `
    if (marked.count < MARKED_MAX) return {}
  }
}
