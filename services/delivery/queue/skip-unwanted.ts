import { retryOnConflict } from "../../../lib/db/pool"
import { sql } from "../db"
import { isWanted } from "./wanted"

const SKIPPED_MAX = 10_000

/**
 * Skips pending deliveries that their endpoint does not want any more, because it was disabled or
 * narrowed. Returns how many.
 */
export const skipUnwanted = (): Promise<number> =>
  retryOnConflict(() =>
    sql.begin(async sql => {
      const [receiver] = await sql<[{ id: number }?]>`
        select id
        from receivers
        where is_narrowed
        order by id
        limit 1
        for update skip locked
      `
      if (!receiver) return 0
      const skipped = await sql`
        update deliveries
        set status = 'skipped', next_attempt_at = null
        where id in (
          select delivery.id
          from deliveries as delivery
          left join destinations as endpoint using (receiver_id)
          where receiver_id = ${receiver.id}
            and delivery.status = 'pending'
            and not coalesce(${isWanted}, false)
          limit ${SKIPPED_MAX}
        )
      `
      if (skipped.count < SKIPPED_MAX) {
        await sql`
          update receivers
          set is_narrowed = false
          where id = ${receiver.id}
        `
      }
      return skipped.count
    }),
  )
