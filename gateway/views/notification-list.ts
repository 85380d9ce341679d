import type { Static } from "@sinclair/typebox"
import { call } from "../../lib/bus/bus"
import type { Page } from "../../lib/fields"
import {
  listNotifications,
  type NotificationFilter,
  type NotificationReader,
} from "../../services/commissions/contract"
import { listOf, wholePage } from "../http/list"

/** Reads a page of the notifications of a partner or a workspace, newest first. */
export async function listNotificationsOf(
  reader: NotificationReader,
  { unread }: Static<typeof NotificationFilter>,
  page: Page,
) {
  const { rows, total } = await wholePage(page, slice =>
    call(listNotifications, { reader, is_unread: unread === "true", slice }),
  )
  return listOf(rows, total, page)
}
