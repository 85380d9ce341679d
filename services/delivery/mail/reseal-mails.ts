import { resealMailsIn } from "../../../lib/reseal-mails"
import { sql } from "../db"

/** Seals the mails in the queue and the outbox with SECRET_KEY. What no key opens cannot be sent. */
export const resealMails = (discard: boolean) =>
  resealMailsIn(
    sql,
    "mails",
    discard,
    (sql, id) => sql`
      update mails
      set
        status = case status when 'queued' then 'failed' else status end,
        done_at = coalesce(done_at, now()),
        sealed = null
      where id = ${id}
    `,
  )
