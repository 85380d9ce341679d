import { sql } from "../db"

const KEPT_DAYS = 40 // longer than a mail may wait anywhere, to know it if it comes again

/** Deletes mails that were done long ago. */
export async function pruneMails(): Promise<number> {
  const { count } = await sql`
    delete from mails
    where status <> 'queued'
      and done_at < now() - ${KEPT_DAYS} * interval '1 day'
  `
  return count
}
