import type { RequestOf } from "../../../lib/bus/operation"
import type * as contract from "../contract"
import { sql } from "../db"
import { openUnsubscribeToken } from "./find-unsubscription"
import { changeSettings } from "./update-notification-settings"

/** The mail proves no identity, so the change has no actor. */
export async function unsubscribe({ token }: RequestOf<typeof contract.unsubscribe>) {
  const { user_id, kinds } = await openUnsubscribeToken(token)
  const changes = Object.fromEntries(kinds.map(kind => [kind, "off"]))
  await sql.begin(sql => changeSettings(sql, user_id, changes))
  return { kinds }
}
