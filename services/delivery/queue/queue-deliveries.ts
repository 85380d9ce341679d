import { config } from "../../../lib/config"
import type { Transaction } from "../../../lib/db/database"

/**
 * Queues published events for every endpoint that subscribes to them, in the transaction that
 * publishes them. For a disabled endpoint a delivery is skipped, and can be replayed. Safe to repeat.
 */
export async function queueDeliveries(sql: Transaction, events: { id: number }[]) {
  if (events.length === 0) return
  await sql`
    with subscription as (
      select
        event.id as event_id,
        event.type,
        event.program_id,
        endpoint.id as endpoint_id,
        endpoint.payload,
        endpoint.status
      from events as event
      join webhook_endpoints as endpoint on endpoint.workspace_id = event.workspace_id
        and endpoint.events && array['*', event.type]
        and (endpoint.program_ids is null or event.program_id = any (endpoint.program_ids))
      where event.id = any (${events.map(({ id }) => id)}::bigint[])
      for share of endpoint
    )
    insert into deliveries (
      receiver_id, event_id, type, program_id, payload, status, next_attempt_at
    )
    select
      receivers.id,
      event_id,
      type,
      program_id,
      payload,
      case status when 'enabled' then 'pending' else 'skipped' end,
      case status when 'enabled' then now() + ${config.delivery.retries[0]} * interval '1 second' end
    from subscription
    join receivers using (endpoint_id)
    order by event_id, receivers.id
    on conflict (event_id, receiver_id) do nothing
  `
}
