import type { RequestOf } from "../../../lib/bus/operation"
import { Fault } from "../../../lib/fault"
import type * as contract from "../contract"
import { sql } from "../db"
import { settingsOf } from "./notification-settings"
import { mintUnsubscribeToken } from "./unsubscribe-tokens"

type Request = RequestOf<typeof contract.findMailbox>

export async function findMailbox({ user_id, kinds: wanted }: Request) {
  const [user] = await sql<[{ email: string }?]>`
    select email
    from users
    where id = ${user_id}
  `
  if (!user) throw new Fault("missing", "User not found.")
  const settings = await settingsOf(sql, user_id)
  const kinds = wanted.filter(kind => settings[kind] !== "off")
  return { ...user, kinds, token: mintUnsubscribeToken({ user_id, kinds }) }
}
