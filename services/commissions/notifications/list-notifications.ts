import type { RequestOf } from "../../../lib/bus/operation"
import { rowsThatFit } from "../../../lib/bus/rows-that-fit"
import type * as contract from "../contract"
import type { Notification } from "../contract"
import { sql } from "../db"
import { isAddressedTo, notificationColumns } from "./notifications"

type Request = RequestOf<typeof contract.listNotifications>

/** Uses one snapshot, so that a new notification in between cannot shift the page. */
export const listNotifications = (request: Request) =>
  sql.begin("isolation level repeatable read read only", async sql => {
    const rows = await sql<Notification[]>`
      select ${notificationColumns}
      from (${newestIds(request)}) as page
      join notifications as notification using (id)
      join commissions as commission on commission.id = commission_id
      order by notification.id desc
    `
    const [{ total }] = await sql<[{ total: number }]>`
      select count(*) as total
      from notifications as notification
      where ${isAddressedTo(request.reader)}
        ${unreadOnly(request)}
    `
    return { rows: rowsThatFit(rows), total }
  })

/** The ids of a page, from an index. An account with several partners merges the ids of each. */
function newestIds(request: Request) {
  const { reader, slice } = request
  const newest = (limit: number) => sql`
    select notification.id
    from notifications as notification
    where ${"account_id" in reader ? sql`partner_id = partner.id` : isAddressedTo(reader)}
      ${unreadOnly(request)}
    order by notification.id desc
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

const unreadOnly = ({ is_unread }: Request) => (is_unread ? sql`and read_at is null` : sql``)
