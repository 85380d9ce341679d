import type { Fragment, Transaction } from "../../../lib/db/database"
import { Fault } from "../../../lib/fault"
import { addMs, DAY_MS } from "../../../lib/time"
import { isWanted } from "../queue/wanted"

const DAYS_MAX = 30
const QUEUED_MAX = 50_000
const FAILED = ["failed", "skipped"]
const ALL = [...FAILED, "delivered"] // what is pending is queued already

/** Queues these deliveries of a receiver, as if they were new. Returns how many. */
export async function requeue(
  sql: Transaction,
  receiver: Fragment,
  these: Fragment,
): Promise<number> {
  const { count } = await sql`
    update deliveries
    set status = 'pending', tries = 0, next_attempt_at = now()
    where id in (
      select delivery.id
      from deliveries as delivery
      join destinations as endpoint using (receiver_id)
      where ${receiver}
        and ${isWanted}
        and ${these}
      limit ${QUEUED_MAX + 1}
    )
  `
  return count
}

type Time = { since: string; until?: string; types?: string[]; only?: "failed" | "all" }

/** The time of a replay. Throws "invalid". */
export function timeOf({ since, until }: Time): { from: string; to: string | null } {
  const from = new Date(since).toISOString()
  const to = until ? new Date(until).toISOString() : null
  if (from < addMs(new Date().toISOString(), -DAYS_MAX * DAY_MS)) {
    throw new Fault("invalid", `since must be at most ${DAYS_MAX} days ago.`)
  }
  if (to && to < from) throw new Fault("invalid", "since must not be after until.")
  return { from, to }
}

/** Queues the deliveries of a receiver in a time. Returns how many. Throws "conflict": too many. */
export async function requeueTime(
  sql: Transaction,
  receiver: Fragment,
  { types = null, only, ...time }: Omit<Time, "types"> & { types?: string[] | null },
): Promise<number> {
  const { from, to } = timeOf(time)
  const queued = await requeue(
    sql,
    receiver,
    sql`
      delivery.created_at >= ${from}::timestamptz
      and (${to}::timestamptz is null or delivery.created_at <= ${to}::timestamptz)
      and (${types}::text[] is null or delivery.type = any (${types}::text[]))
      and delivery.status = any (${only === "all" ? ALL : FAILED}::text[])
    `,
  )
  if (queued <= QUEUED_MAX) return queued
  const message = `More than ${QUEUED_MAX} deliveries would be queued. Choose a shorter period.`
  throw new Fault("conflict", message)
}
