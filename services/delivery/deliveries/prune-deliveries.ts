import { config } from "../../../lib/config"
import { clock } from "../clock"
import { sql } from "../db"

const PRUNED_MAX = 10_000

/** Deletes the deliveries of an endpoint that was deleted, then what the queue knew of it. */
export async function forgetReceiver(): Promise<number> {
  const [receiver] = await sql<[{ id: number }?]>`
    select id
    from receivers
    where endpoint_id is null
      and postback_id is null
    limit 1
  `
  if (!receiver) return 0
  const { count } = await sql`
    delete from deliveries
    where id in (
      select id
      from deliveries
      where receiver_id = ${receiver.id}
      limit ${PRUNED_MAX}
    )
  `
  if (count < PRUNED_MAX) await sql`delete from receivers where id = ${receiver.id}`
  return count
}

/** Deletes tests and events of endpoints after their time in the log. Others go with their event. */
export async function pruneOwnEvents(): Promise<number> {
  const now = await clock.look()
  const { count } = await sql`
    delete from deliveries
    where id in (
      select id
      from deliveries
      where event_id is null
        and created_at < ${now}::timestamptz - ${config.delivery.retention_days} * interval '1 day'
      limit ${PRUNED_MAX}
    )
  `
  return count
}
