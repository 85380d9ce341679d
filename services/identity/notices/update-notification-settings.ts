import type { RequestOf } from "../../../lib/bus/operation"
import type { Transaction } from "../../../lib/db/database"
import { differences, NO_ACTOR, recordChange } from "../../../lib/record-change"
import { currentContext } from "../../../lib/request-context"
import type * as contract from "../contract"
import type { NotificationSettings } from "../contract"
import { sql } from "../db"
import { settingsOf, storeSettings } from "./notification-settings"

type Request = RequestOf<typeof contract.updateNotificationSettings>

export const updateNotificationSettings = ({ user_id, changes }: Request) =>
  sql.begin(sql => changeSettings(sql, user_id, changes, currentContext().actor))

/**
 * Changes the settings of a person, and records that in the log of each workspace where the person
 * is an active member.
 */
export async function changeSettings(
  sql: Transaction,
  user_id: number,
  changes: Partial<NotificationSettings>,
  actor: ReturnType<typeof currentContext>["actor"] = NO_ACTOR,
): Promise<NotificationSettings> {
  await sql`
    select 1
    from users
    where id = ${user_id}
    for no key update -- changes take turns
  `
  const before = await settingsOf(sql, user_id)
  const after = { ...before, ...changes }
  const details = differences(before, after)
  if (details === null) return after
  await storeSettings(sql, user_id, details)
  const workspaces = await sql<{ workspace_id: number }[]>`
    select workspace_id
    from memberships
    where user_id = ${user_id}
      and status = 'active'
    order by workspace_id
  `
  for (const { workspace_id } of workspaces) {
    const change = { workspace_id, subject_id: user_id, details }
    await recordChange(sql, { ...change, action: "user.update_notification_settings" }, actor)
  }
  return after
}
