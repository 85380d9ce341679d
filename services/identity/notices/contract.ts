import { type Static, Type } from "@sinclair/typebox"
import { operation } from "../../../lib/bus/operation"
import { Id, Nullable, OneOf } from "../../../lib/fields"

const KINDS = ["sale", "rejection", "refund", "payment", "application", "failing_endpoint"] as const

export const NoticeKind = OneOf(...KINDS)
export type NoticeKind = Static<typeof NoticeKind>

const Frequency = OneOf("instant", "daily", "weekly", "off")
export type Frequency = Static<typeof Frequency>

/** How often a person gets notices of each kind by mail. */
export const NotificationSettings = Type.Object(
  Object.fromEntries(KINDS.map(kind => [kind, Frequency])) as Record<NoticeKind, typeof Frequency>,
)
export type NotificationSettings = Static<typeof NotificationSettings>

/** The body of PUT /api/auth/notification-settings: absent kinds stay unchanged. */
export const NotificationChanges = Type.Partial(NotificationSettings)

/** Faults: none. */
export const showNotificationSettings = operation("identity.notification_settings.show", {
  request: Type.Object({ user_id: Id }),
  reply: NotificationSettings,
})

/** Changes the settings of a person. Faults: none. */
export const updateNotificationSettings = operation("identity.notification_settings.update", {
  request: Type.Object({ user_id: Id, changes: NotificationChanges }),
  reply: NotificationSettings,
})

const Unsubscription = {
  request: Type.Object({ token: Type.String() }),
  reply: Type.Object({ kinds: Type.Array(NoticeKind) }),
}

/** The kinds that the token of a mail can turn off. It changes nothing. Faults: missing. */
export const findUnsubscription = operation("identity.unsubscription.find", Unsubscription)

/** Turns off the kinds of a token. Safe to repeat. Faults: missing. */
export const unsubscribe = operation("identity.unsubscription.apply", Unsubscription)

/** Whom a notice is for: the person who is a partner, or the members of a workspace. */
const Notice = Type.Object({
  notice_id: Id,
  kind: NoticeKind,
  program_id: Nullable(Id),
  partner_id: Nullable(Id), // null: it is for the members of the workspace
  workspace_id: Id,
})

/**
 * The people who get notices by mail, and how often, and the names of the programs. Those who turned
 * the kind off are left out. Of a workspace, the 200 members who joined first. Faults: none.
 */
export const findNoticeRecipients = operation("identity.notice.find_recipients", {
  request: Type.Object({ notices: Type.Array(Notice, { maxItems: 50 }) }),
  reply: Type.Object({
    recipients: Type.Array(
      Type.Object({ notice_id: Id, user_id: Id, frequency: OneOf("instant", "daily", "weekly") }),
    ),
    programs: Type.Array(Type.Object({ program_id: Id, name: Type.String() })),
  }),
})

/**
 * Where a person gets mail about notices of these kinds. `kinds` are those that are not turned off,
 * `token` turns them off. Faults: missing.
 */
export const findMailbox = operation("identity.notice.find_mailbox", {
  request: Type.Object({ user_id: Id, kinds: Type.Array(NoticeKind) }),
  reply: Type.Object({ email: Type.String(), kinds: Type.Array(NoticeKind), token: Type.String() }),
})
