import type { Transaction } from "../../../lib/db/database"
import { sealMail } from "../../../lib/outgoing-mails"
import type { Mail } from "./contract"

const EXPIRES_AFTER_DAYS = 7

/** Queues a mail of this service, in the transaction that makes it necessary. Returns its id. */
export async function queueOwnMail(sql: Transaction, mail: Mail): Promise<string> {
  const id = crypto.randomUUID()
  const sealed = await sealMail(id, mail)
  await sql`
    insert into mails (id, sealed, expires_at)
    values (${id}, ${sealed}, now() + ${EXPIRES_AFTER_DAYS} * interval '1 day')
  `
  return id
}
