import type { RequestOf } from "../../../lib/bus/operation"
import { Fault } from "../../../lib/fault"
import type * as contract from "../contract"
import { sql } from "../db"
import { readUnsubscribeToken } from "./unsubscribe-tokens"

export async function findUnsubscription({ token }: RequestOf<typeof contract.findUnsubscription>) {
  const { kinds } = await openUnsubscribeToken(token)
  return { kinds }
}

/** Returns what a token turns off. Throws if it was not signed here, or the person is gone. */
export async function openUnsubscribeToken(token: string) {
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
