import { sql } from "../db"

const KEPT_DAYS = 40

/** Deletes old notices. A digest is at most a week away, so none waits any more. */
export async function pruneNotices(): Promise<number> {
  const { count } = await sql`
    delete from notices
    where at < now() - ${KEPT_DAYS} * interval '1 day'
  `
  return count
}
