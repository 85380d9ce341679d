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
      select ${notificationColumns(request.reader)}
      from (${newestIds(request)}) as page
      join notifications as notification using (id)
      left join commissions as commission on commission.id = commission_id
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

/** The ids of a page, from indexes. An account merges its own with those of each of its partners. */
function newestIds(request: Request) {
  const { reader, slice } = request
  const newest = (isOwn: ReturnType<typeof isAddressedTo>, limit: number) => sql`
    select notification.id
    from notifications as notification
    where ${isOwn}
      ${unreadOnly(request)}
    order by notification.id desc
    limit ${limit}
  `
  if (!("account_id" in reader)) {
    return sql`${newest(isAddressedTo(reader), slice.limit)} offset ${slice.offset}`
  }
  const { account_id } = reader
  const last = slice.offset + slice.limit
  return sql`
    select own.id
    from (
      (${newest(sql`notification.account_id = ${account_id}`, last)})
      union all
      select of_partner.id
      from partners as partner
      cross join lateral (${newest(sql`partner_id = partner.id`, last)}) as of_partner
      where partner.account_id = ${account_id}
    ) as own
    order by own.id desc
    limit ${slice.limit}
    offset ${slice.offset}
  `
}

const unreadOnly = ({ is_unread }: Request) => (is_unread ? sql`and read_at is null` : sql``)
