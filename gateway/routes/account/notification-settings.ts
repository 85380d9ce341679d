import { call } from "../../../lib/bus/bus"
import {
  NotificationChanges,
  NotificationSettings,
  showNotificationSettings,
  updateNotificationSettings,
} from "../../../services/identity/contract"
import { session } from "../../http/access"
import { One, route } from "../../http/route"

const path = "/api/auth/notification-settings"

/** Which notices a person gets by mail (behaviour 15.8.3). */
export const notificationSettings = [
  route(
    {
      id: "showNotificationSettings",
      method: "GET",
      path,
      summary: "Show your e-mail notification settings",
      access: session,
      answers: { 200: One(NotificationSettings) },
    },
    async ({ caller: { user_id } }) => ({
      data: await call(showNotificationSettings, { user_id }),
    }),
  ),
  route(
    {
      id: "updateNotificationSettings",
      method: "PUT",
      path,
      summary: "Change your e-mail notification settings",
      access: session,
      body: NotificationChanges,
      answers: { 200: One(NotificationSettings) },
    },
    async ({ caller: { user_id }, body: changes }) => ({
      data: await call(updateNotificationSettings, { user_id, changes }),
    }),
  ),
]
