import { call } from "../../../lib/bus/bus"
import { Page } from "../../../lib/fields"
import {
  markAllNotificationsRead,
  markNotificationRead,
  Notification,
  NotificationFilter,
  NotificationsRead,
  showNotification,
} from "../../../services/commissions/contract"
import { partner } from "../../http/access"
import { Listed } from "../../http/list"
import { pathId } from "../../http/query"
import { EmptyReply, One, route } from "../../http/route"
import { listNotificationsOf } from "../../views/notification-list"

const oneNotification = {
  ...partner,
  async authorize(request: Request, params: Record<string, string>) {
    const reader = await partner.authorize(request, params, null)
    const target = { reader, notification_id: pathId(params.id) }
    await call(showNotification, target)
    return { target }
  },
}

/** The notifications of a person as a partner, of all their programs (behaviour 6.7.2). */
export const partnerNotifications = [
  route(
    {
      id: "listPartnerNotifications",
      method: "GET",
      path: "/api/partner/notifications",
      summary: "List the notifications of a partner, newest first",
      access: partner,
      query: [NotificationFilter, Page],
      answers: { 200: Listed(Notification) },
    },
    ({ account_id, query, page }) => listNotificationsOf({ account_id }, query, page),
  ),
  route(
    {
      id: "markAllPartnerNotificationsRead",
      method: "POST",
      path: "/api/partner/notifications/read",
      summary: "Mark notifications of a partner as read: all of them, or those up to `through_id`",
      access: partner,
      body: NotificationsRead,
      mayOmitBody: true,
      answers: { 200: EmptyReply },
    },
    async ({ account_id, body: { through_id } }) => ({
      data: await call(markAllNotificationsRead, { reader: { account_id }, through_id }),
    }),
  ),
  route(
    {
      id: "markPartnerNotificationRead",
      method: "POST",
      path: "/api/partner/notifications/:id/read",
      summary: "Mark a notification of a partner as read",
      access: oneNotification,
      answers: { 200: One(Notification) },
    },
    async ({ target }) => ({ data: await call(markNotificationRead, target) }),
  ),
]
