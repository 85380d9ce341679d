import { type Static, Type } from "@sinclair/typebox"
import { operation } from "../../../lib/bus/operation"
import { Id, ListOf, Nullable, OneOf, Slice, Time, Uuid } from "../../../lib/fields"

/**
 * `account_unbound` goes to both sides, `paid_commission_refunded` and `endpoint_disabled` to the
 * advertiser, the others to the partner.
 */
const NotificationKind = OneOf(
  "commission_rejected",
  "commission_paid",
  "commission_reversed",
  "commission_refunded",
  "paid_commission_refunded",
  "account_unbound",
  "endpoint_disabled",
)

/**
 * A notification as the API shows it. `read_at` null: unread. `transaction_id` null: for a partner,
 * or it is about no sale. Others: null if it is about none. A partner's has a `program_id`.
 */
export const Notification = Type.Object({
  id: Id,
  kind: NotificationKind,
  program_id: Nullable(Id),
  commission_id: Nullable(Id),
  sale_id: Nullable(Id),
  transaction_id: Nullable(Type.String()),
  message: Type.String(),
  read_at: Nullable(Time),
  created_at: Time,
})

export type Notification = Static<typeof Notification>

/** Whose notifications: those of an account and all of its partners, or those of a workspace. */
const NotificationReader = Type.Union([
  Type.Object({ account_id: Id }),
  Type.Object({
    workspace_id: Id,
    program_ids: Nullable(Type.Array(Id)), // of a key; null: all
  }),
])

export type NotificationReader = Static<typeof NotificationReader>

/** The query of GET …/notifications. */
export const NotificationFilter = Type.Object({ unread: Type.Optional(OneOf("true", "false")) })

/** The notifications of a reader, newest first. Faults: none. */
export const listNotifications = operation("commissions.notification.list", {
  request: Type.Object({ reader: NotificationReader, is_unread: Type.Boolean(), slice: Slice }),
  reply: ListOf(Notification),
})

/**
 * What a warning is about, so that the caller's access to it can be checked. `program_id` null: the
 * whole workspace. Faults: missing.
 */
export const findWarning = operation("commissions.warning.find", {
  request: Type.Object({ notification_id: Id }),
  reply: Type.Object({ workspace_id: Id, program_id: Nullable(Id) }),
})

/**
 * Notifies a workspace that one of its webhook endpoints was disabled. `source_key` makes repeating
 * it safe. Faults: none.
 */
export const notifyOfEndpoint = operation("commissions.warning.create", {
  request: Type.Object({
    source_key: Uuid,
    workspace_id: Id,
    message: Type.String(),
  }),
  reply: Type.Object({}),
})

/** One notification of a reader. Faults: missing. */
export const showNotification = operation("commissions.notification.show", {
  request: Type.Object({ reader: NotificationReader, notification_id: Id }),
  reply: Notification,
})

/** Marks a notification as read. A repeat keeps the first `read_at`. Faults: missing. */
export const markNotificationRead = operation("commissions.notification.mark_read", {
  request: Type.Object({ reader: NotificationReader, notification_id: Id }),
  reply: Notification,
})

/** The body of POST …/notifications/read. `through_id`: the newest one seen; absent: all. */
export const NotificationsRead = Type.Object({ through_id: Type.Optional(Id) })

/**
 * Marks notifications up to `through_id` as read (absent: all), in several transactions if there
 * are many. Safe to repeat. Faults: none.
 */
export const markAllNotificationsRead = operation("commissions.notification.mark_all_read", {
  request: Type.Composite([Type.Object({ reader: NotificationReader }), NotificationsRead]),
  reply: Type.Object({}),
})
