import type { RequestOf } from "../../../lib/bus/operation"
import type * as contract from "../contract"
import { sql } from "../db"
import { settingsOf } from "./notification-settings"

export const showNotificationSettings = ({
  user_id,
}: RequestOf<typeof contract.showNotificationSettings>) => settingsOf(sql, user_id)
