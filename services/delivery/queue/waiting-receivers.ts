import { sql } from "../db"

/**
 * The receivers that have a pending delivery, one step in the index each. It goes behind
 * `with recursive`.
 */
export const waitingReceivers = sql`
  waiting (receiver_id) as (
    select min(receiver_id)
    from deliveries
    where status = 'pending'
    union all
    select (
      select min(receiver_id)
      from deliveries
      where status = 'pending'
        and receiver_id > waiting.receiver_id
    )
    from waiting
    where waiting.receiver_id is not null
  )
`
