import { sql } from "../db"

/** Gives up mails that could not be sent in their time. */
export async function expireMails(): Promise<number> {
  const { count } = await sql`
    update mails
    set status = 'expired', sealed = null, done_at = now()
    where status = 'queued'
      and expires_at <= now()
      and next_attempt_at <= now() -- not being sent
  `
  return count
}
