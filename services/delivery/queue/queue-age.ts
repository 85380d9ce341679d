import { gauge } from "../../../lib/metrics"
import { sql } from "../db"
import { waitingReceivers } from "./waiting-receivers"

/** Registers how long the oldest delivery that is due has been waiting. */
export const watchQueue = () =>
  gauge(
    "tributary_delivery_queue_age_seconds",
    "How long the oldest delivery that is due has been waiting, in all replicas. 0: none is due.",
    async () => {
      const [{ age }] = await sql<[{ age: number }]>`
        with recursive ${waitingReceivers}
        select greatest(0, extract(epoch from now() - min(first.next_attempt_at)))::float8 as age
        from waiting
        cross join lateral (
          select min(next_attempt_at) as next_attempt_at
          from deliveries
          where deliveries.receiver_id = waiting.receiver_id
            and status = 'pending'
            and deliveries.id not in (select delivery_id from leases where until >= now())
        ) as first
      `
      return age
    },
  )
