import { sql } from "../db"

const KEPT_DAYS = 40
const PRUNED_MAX = 10_000 // in one run

/** Deletes old notices. A digest is at most a week away, so none waits any more. */
export async function pruneNotices(): Promise<number> {
  const { count } = await sql`
    delete from notices
    where id in (
      select id
      from notices
      where at < now() - ${KEPT_DAYS} * interval '1 day'
      order by at
      limit ${PRUNED_MAX}
    )
  `
  return count
}
