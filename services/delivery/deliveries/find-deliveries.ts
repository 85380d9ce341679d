import { jsonTime } from "../../../lib/outgoing-events"
import type { EndpointKey } from "../contract"
import { sql } from "../db"

/** A delivery as it is stored, with the attempts as the API shows them. */
export const deliveryColumns = sql`
  delivery.id,
  coalesce(delivery.own_event ->> 'event_key', event.event_key::text) as event_key,
  delivery.type,
  delivery.status,
  coalesce(
    (
      select jsonb_agg(
        jsonb_build_object(
          'at', ${jsonTime(sql, "attempts.at")},
          'response_status', response_status,
          'latency_ms', latency_ms,
          'error', error,
          'response_excerpt', response_excerpt,
          'signature', signature
        )
        order by attempts.id
      )
      from attempts
      where delivery_id = delivery.id
    ),
    '[]'
  ) as attempts,
  delivery.next_attempt_at,
  delivery.created_at
`

/** The deliveries of an endpoint. A key sees none of programs that it does not have. */
export const ofEndpoint = ({ workspace_id, endpoint_id, limited_to }: EndpointKey) => sql`
  delivery.receiver_id = (
    select id
    from receivers
    where receivers.endpoint_id = ${endpoint_id}
      and receivers.workspace_id = ${workspace_id}
  )
  ${limited_to ? isOfPrograms(limited_to) : sql``}
`

const isOfPrograms = (program_ids: number[]) => sql`
  and (delivery.program_id is null or delivery.program_id = any (${program_ids}::bigint[]))
`
