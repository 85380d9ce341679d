import type { RequestOf } from "../../../lib/bus/operation"
import type * as contract from "../contract"
import { sql } from "../db"
import { notificationNotFound } from "./notifications"

type Request = RequestOf<typeof contract.findWarning>

export async function findWarning({ notification_id }: Request) {
  const [warning] = await sql<[{ workspace_id: number; program_id: number | null }?]>`
    select workspace_id, program_id
    from notifications
    where id = ${notification_id}
      and recipient = 'advertiser'
  `
  if (!warning) throw notificationNotFound()
  return warning
}
