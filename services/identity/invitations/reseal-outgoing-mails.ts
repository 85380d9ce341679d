import { resealMailsIn } from "../../../lib/reseal-mails"
import { sql } from "../db"

/** Seals the mails that wait for delivery with SECRET_KEY. What no key opens cannot be sent. */
export const resealOutgoingMails = (discard: boolean) =>
  resealMailsIn(
    sql,
    "outgoing_mails",
    discard,
    (sql, id) => sql`
      delete from outgoing_mails
      where id = ${id}
    `,
  )
