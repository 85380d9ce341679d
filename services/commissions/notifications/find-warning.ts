import type { RequestOf } from "../../../lib/bus/operation"
import type * as contract from "../contract"
import { sql } from "../db"
import { noNotification } from "./notifications"

type Asked = RequestOf<typeof contract.findWarning>

export async function findWarning({ notification_id }: Asked) {
  const [warning] = await sql<[{ program_id: number }?]>`
    select program_id
    from notifications
    where id = ${notification_id}
      and recipient = 'advertiser'
  `
  if (!warning) throw noNotification()
  return warning
}
