import { Elysia } from "elysia"
import { call } from "../../../lib/bus/bus"
import { parse } from "../../../lib/bus/operation"
import { asFault, Fault } from "../../../lib/fault"
import { Page } from "../../../lib/fields"
import {
  findWarning,
  listNotifications,
  markAllNotificationsRead,
  markNotificationRead,
  Notification,
  NotificationFilter,
  type NotificationReader,
  NotificationsRead,
  showNotification,
} from "../../../services/commissions/contract"
import { permitProgram } from "../../../services/identity/contract"
import { fieldsIfAny, readBody } from "../../http/body"
import { managerOf, partnerOf, programIdsOf, workspaceOf } from "../../http/caller"
import { Listed, listOf, wholePage } from "../../http/list"
import { pageOf, pathId, queryOf } from "../../http/query"
import {
  inWorkspace,
  manager,
  Nothing,
  One,
  PERMITTED,
  reads,
  writes,
} from "../../openapi/description"

/** What a workspace is warned of. Whoever may settle commissions says that it was read. */
const advertisers = new Elysia({ prefix: "/api/advertiser/notifications" })
  .get(
    "",
    async ({ request }) => {
      const caller = await managerOf(request)
      const workspace_id = await workspaceOf(request, caller, "commission:read")
      return listFor({ workspace_id, program_ids: programIdsOf(caller) }, request)
    },
    reads({
      id: "listAdvertiserNotifications",
      summary: "List the notifications of a workspace, newest first",
      by: inWorkspace(manager("program:read")),
      query: [NotificationFilter, Page],
      answers: { 200: Listed(Notification) },
    }),
  )
  .post(
    "/read",
    async ({ request }) => {
      const body = await readBody(request)
      const caller = await managerOf(request)
      const workspace_id = await workspaceOf(request, caller, "commission:settle")
      const { through_id } = parse(NotificationsRead, fieldsIfAny(body))
      const reader = { workspace_id, program_ids: programIdsOf(caller) }
      return { data: await call(markAllNotificationsRead, { reader, through_id }) }
    },
    writes({
      id: "markAllAdvertiserNotificationsRead",
      summary: "Mark all notifications of a workspace as read, up to the newest that was seen",
      by: inWorkspace(manager("program:update")),
      body: NotificationsRead,
      mayOmitBody: true,
      answers: { 200: Nothing },
    }),
  )
  .post(
    "/:id/read",
    async ({ request, params }) => {
      const body = await readBody(request)
      const named = await settling(request, params.id)
      fieldsIfAny(body)
      return { data: await call(markNotificationRead, named) }
    },
    writes({
      id: "markAdvertiserNotificationRead",
      summary: "Mark a notification of a workspace as read",
      by: manager("program:update"),
      answers: { 200: One(Notification) },
    }),
  )

/** What a person is told as a partner, of whichever programs. */
const partners = new Elysia({ prefix: "/api/partner/notifications" })
  .get(
    "",
    async ({ request }) => {
      return listFor(await partnerOf(request), request)
    },
    reads({
      id: "listPartnerNotifications",
      summary: "List the notifications of a partner, newest first",
      by: PERMITTED,
      query: [NotificationFilter, Page],
      answers: { 200: Listed(Notification) },
    }),
  )
  .post(
    "/read",
    async ({ request }) => {
      const body = await readBody(request)
      const reader = await partnerOf(request)
      const { through_id } = parse(NotificationsRead, fieldsIfAny(body))
      return { data: await call(markAllNotificationsRead, { reader, through_id }) }
    },
    writes({
      id: "markAllPartnerNotificationsRead",
      summary: "Mark all notifications of a partner as read, up to the newest that was seen",
      by: PERMITTED,
      body: NotificationsRead,
      mayOmitBody: true,
      answers: { 200: Nothing },
    }),
  )
  .post(
    "/:id/read",
    async ({ request, params }) => {
      const body = await readBody(request)
      const named = { reader: await partnerOf(request), notification_id: pathId(params.id) }
      await call(showNotification, named)
      fieldsIfAny(body)
      return { data: await call(markNotificationRead, named) }
    },
    writes({
      id: "markPartnerNotificationRead",
      summary: "Mark a notification of a partner as read",
      by: PERMITTED,
      answers: { 200: One(Notification) },
    }),
  )

export const notifications = new Elysia().use(advertisers).use(partners)

async function listFor(reader: NotificationReader, request: Request) {
  const { unread } = queryOf(request, NotificationFilter)
  const page = pageOf(request)
  const { rows, total } = await wholePage(page, slice =>
    call(listNotifications, { reader, is_unread: unread === "true", slice }),
  )
  return listOf(rows, total, page)
}

/** The notice of the path, where the caller may settle: another workspace's is simply missing. */
async function settling(request: Request, id: string) {
  const caller = await managerOf(request)
  const named = { notification_id: pathId(id) }
  const { program_id } = await call(findWarning, named)
  const asked = { caller, action: "commission:settle", program_id, conceals: true } as const
  const { workspace_id } = await call(permitProgram, asked).catch(error => {
    if (asFault(error).kind !== "missing") throw error
    throw new Fault("missing", "There is no such notification.")
  })
  return { ...named, reader: { workspace_id, program_ids: programIdsOf(caller) } }
}
