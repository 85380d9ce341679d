import { type Static, Type } from "@sinclair/typebox"
import { operation } from "../../../lib/bus/operation"
import { Id, ListOf, Nullable, OneOf, Slice, Time } from "../../../lib/fields"

/** The last warns the advertiser, the others tell the partner. */
const NotificationKind = OneOf(
  "commission_rejected",
  "commission_paid",
  "commission_reversed",
  "commission_refunded",
  "paid_commission_refunded",
)

/** A notice as it is shown. `read_at` null: nobody has read it. */
export const Notification = Type.Object({
  id: Id,
  kind: NotificationKind,
  program_id: Id,
  commission_id: Id,
  transaction_id: Type.String(),
  message: Type.String(),
  read_at: Nullable(Time),
  created_at: Time,
})

export type Notification = Static<typeof Notification>

/** Whose notices: a person's, of all the partners that they are, or those of a workspace. */
const NotificationReader = Type.Union([
  Type.Object({ account_id: Id }),
  Type.Object({
    workspace_id: Id,
    program_ids: Nullable(Type.Array(Id)), // a key's; null: all
  }),
])

export type NotificationReader = Static<typeof NotificationReader>

/** The query of GET …/notifications. */
export const NotificationFilter = Type.Object({ unread: Type.Optional(OneOf("true", "false")) })

/** Notices, newest first. Faults: none. */
export const listNotifications = operation("commissions.notification.list", {
  request: Type.Object({ reader: NotificationReader, is_unread: Type.Boolean(), slice: Slice }),
  reply: ListOf(Notification),
})

/** Which program a warning is about, for whoever then asks what the caller may. Faults: missing. */
export const findWarning = operation("commissions.warning.find", {
  request: Type.Object({ notification_id: Id }),
  reply: Type.Object({ program_id: Id }),
})

/** Faults: missing. */
export const showNotification = operation("commissions.notification.show", {
  request: Type.Object({ reader: NotificationReader, notification_id: Id }),
  reply: Notification,
})

/** `read_at` stays what it was the first time. Safe to repeat. Faults: missing. */
export const markNotificationRead = operation("commissions.notification.mark_read", {
  request: Type.Object({ reader: NotificationReader, notification_id: Id }),
  reply: Notification,
})

/** The body of POST …/notifications/read: the newest that was seen. Absent: all there are. */
export const NotificationsRead = Type.Object({ through_id: Type.Optional(Id) })

/**
 * Marks all up to `through_id` as read (absent: all), in several transactions where they are many.
 * Safe to repeat. Faults: none.
 */
export const markAllNotificationsRead = operation("commissions.notification.mark_all_read", {
  request: Type.Composite([Type.Object({ reader: NotificationReader }), NotificationsRead]),
  reply: Type.Object({}),
})
