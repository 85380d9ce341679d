import { call } from "../../../lib/bus/bus"
import type { ReplyOf } from "../../../lib/bus/operation"
import { asFault, Fault } from "../../../lib/fault"
import { Page } from "../../../lib/fields"
import {
  findWarning,
  markAllNotificationsRead,
  markNotificationRead,
  Notification,
  NotificationFilter,
  NotificationsRead,
} from "../../../services/commissions/contract"
import { type Caller, permitProgram, permitWorkspace } from "../../../services/identity/contract"
import { memberOrKey, workspace } from "../../http/access"
import { managerOf, programIdsOf } from "../../http/caller"
import { Listed } from "../../http/list"
import { pathId } from "../../http/query"
import { EmptyReply, One, route } from "../../http/route"
import { listNotificationsOf } from "../../views/notification-list"

/** The notification of the path. One of another workspace is missing. */
const oneNotification = {
  ...memberOrKey("program:update"),
  async authorize(request: Request, params: Record<string, string>) {
    const caller = await managerOf(request)
    const notification_id = pathId(params.id)
    const about = await call(findWarning, { notification_id })
    const { workspace_id } = await permit(caller, about).catch(error => {
      if (asFault(error).kind !== "missing") throw error
      throw new Fault("missing", "Notification not found.")
    })
    return {
      target: { notification_id, reader: { workspace_id, program_ids: programIdsOf(caller) } },
    }
  },
}

/** Permits what is about a program, or about the whole workspace. */
function permit(caller: Caller, { program_id, workspace_id }: ReplyOf<typeof findWarning>) {
  const access = { caller, action: "commission:settle", hides_existence: true } as const
  return program_id === null
    ? call(permitWorkspace, { ...access, workspace_id })
    : call(permitProgram, { ...access, program_id })
}

/** The warnings of a workspace (behaviour 6.7.2). Settling commissions includes marking them. */
export const advertiserNotifications = [
  route(
    {
      id: "listAdvertiserNotifications",
      method: "GET",
      path: "/api/advertiser/notifications",
      summary: "List the notifications of a workspace, newest first",
      access: workspace("commission:read"),
      query: [NotificationFilter, Page],
      answers: { 200: Listed(Notification) },
    },
    ({ caller, workspace_id, query, page }) =>
      listNotificationsOf({ workspace_id, program_ids: programIdsOf(caller) }, query, page),
  ),
  route(
    {
      id: "markAllAdvertiserNotificationsRead",
      method: "POST",
      path: "/api/advertiser/notifications/read",
      summary:
        "Mark notifications of a workspace as read: all of them, or those up to `through_id`",
      access: workspace("commission:settle"),
      body: NotificationsRead,
      mayOmitBody: true,
      answers: { 200: EmptyReply },
    },
    async ({ caller, workspace_id, body: { through_id } }) => {
      const reader = { workspace_id, program_ids: programIdsOf(caller) }
      return { data: await call(markAllNotificationsRead, { reader, through_id }) }
    },
  ),
  route(
    {
      id: "markAdvertiserNotificationRead",
      method: "POST",
      path: "/api/advertiser/notifications/:id/read",
      summary: "Mark a notification of a workspace as read",
      access: oneNotification,
      answers: { 200: One(Notification) },
    },
    async ({ target }) => ({ data: await call(markNotificationRead, target) }),
  ),
]
