import type { RequestOf } from "../../../lib/bus/operation"
import { Fault } from "../../../lib/fault"
import type * as contract from "../contract"
import { sql } from "../db"
import { readUnsubscribeToken } from "./unsubscribe-tokens"
import { changeSettings } from "./update-notification-settings"

type Request = RequestOf<typeof contract.unsubscribe>

export async function findUnsubscription({ token }: Request) {
  const { kinds } = await find(token)
  return { kinds }
}

/** The mail proves no identity, so the change has no actor. */
export async function unsubscribe({ token }: Request) {
  const { user_id, kinds } = await find(token)
  const changes = Object.fromEntries(kinds.map(kind => [kind, "off"]))
  await sql.begin(sql => changeSettings(sql, user_id, changes))
  return { kinds }
}

async function find(token: string) {
  const unsubscription = readUnsubscribeToken(token)
  const [user] = unsubscription
    ? await sql`
        select 1
        from users
        where id = ${unsubscription.user_id}
      `
    : []
  if (unsubscription && user) return unsubscription
  throw new Fault("missing", "This link is not valid. Sign in to choose which mails you get.")
}
