import type { Transaction } from "../../../lib/db/database"
import { Fault } from "../../../lib/fault"
import type { PostbackKey } from "../contract"
import { sql } from "../db"
import { lockPostback } from "../postbacks/postbacks"

/** The deliveries of a postback, whose owner was checked. */
export const ofPostback = ({ postback_id }: PostbackKey) => sql`
  delivery.receiver_id = (
    select id
    from receivers
    where receivers.postback_id = ${postback_id}
  )
`

/** Locks a postback, so that it stays enabled. Throws "missing" and "conflict". */
export async function lockEnabled(sql: Transaction, key: PostbackKey) {
  const postback = await lockPostback(sql, key)
  if (postback.status === "enabled") return postback
  throw new Fault("conflict", "The postback is disabled. Enable it first.")
}
