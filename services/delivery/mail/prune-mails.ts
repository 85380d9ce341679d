import { sql } from "../db"

const KEPT_DAYS = 40 // longer than a mail may wait anywhere, to know it if it comes again
const PRUNED_MAX = 10_000 // in one run

/** Deletes mails that were done long ago. */
export async function pruneMails(): Promise<number> {
  const { count } = await sql`
    delete from mails
    where id in (
      select id
      from mails
      where status <> 'queued'
        and done_at < now() - ${KEPT_DAYS} * interval '1 day'
      order by done_at
      limit ${PRUNED_MAX}
    )
  `
  return count
}
