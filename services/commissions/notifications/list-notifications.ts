import type { RequestOf } from "../../../lib/bus/operation"
import { rowsThatFit } from "../../../lib/bus/rows-that-fit"
import type * as contract from "../contract"
import type { Notification } from "../contract"
import { sql } from "../db"
import { isFor, shownNotification } from "./notifications"

type Asked = RequestOf<typeof contract.listNotifications>

/** In one snapshot: a notice that comes in between must not move the page. */
export const listNotifications = (asked: Asked) =>
  sql.begin("isolation level repeatable read read only", async sql => {
    const rows = await sql<Notification[]>`
      select ${shownNotification}
      from (${newestOf(asked)}) as page
      join notifications as notice using (id)
      join commissions as commission on commission.id = commission_id
      order by notice.id desc
    `
    const [{ total }] = await sql<[{ total: number }]>`
      select count(*) as total
      from notifications as notice
      where ${isFor(asked.reader)}
        ${unreadIf(asked)}
    `
    return { rows: rowsThatFit(rows), total }
  })

/** Ids, each from an index. One person is several partners: a page is merged from theirs. */
function newestOf(asked: Asked) {
  const { reader, slice } = asked
  const newest = (limit: number) => sql`
    select notice.id
    from notifications as notice
    where ${"account_id" in reader ? sql`partner_id = partner.id` : isFor(reader)}
      ${unreadIf(asked)}
    order by notice.id desc
    limit ${limit}
  `
  if (!("account_id" in reader)) return sql`${newest(slice.limit)} offset ${slice.offset}`
  return sql`
    select own.id
    from partners as partner
    cross join lateral (${newest(slice.offset + slice.limit)}) as own
    where account_id = ${reader.account_id}
    order by own.id desc
    limit ${slice.limit}
    offset ${slice.offset}
  `
}

const unreadIf = ({ is_unread }: Asked) => (is_unread ? sql`and read_at is null` : sql``)
