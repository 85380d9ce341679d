import type { Scene } from "../trial/trial"

/** A delivery as the queue of delivery has it, or one that is missing there. */
export type Stored = {
  receiver: string
  event_id: string
  status: "delivered" | "failed" | "skipped" | "pending" | "missing"
}

/** What the tables say of each published event and each endpoint that subscribes to it. */
export async function storedDeliveries({ system: { sql }, advertiser }: Scene): Promise<Stored[]> {
  return sql<Stored[]>`
    select
      split_part(url, '/', 4) as receiver,
      'evt_' || replace(event_key::text, '-', '') as event_id,
      coalesce(delivery.status, 'missing') as status
    from delivery.events as event
    join delivery.webhook_endpoints as endpoint on endpoint.events && array['*', event.type]
    join delivery.receivers as receiver on receiver.endpoint_id = endpoint.id
    left join delivery.deliveries as delivery
      on delivery.event_id = event.id
      and delivery.receiver_id = receiver.id
    where event.program_id = ${advertiser.program_id}
      and published_at is not null
  `
}

/**
 * Compares what was committed with the events about it: each sale, commission, lead and refund has
 * one, and there is none of what was rolled back. Returns what differs, as sentences.
 */
export async function findUnwritten({ system: { sql }, advertiser }: Scene): Promise<string[]> {
  const { program_id } = advertiser
  const differing = await sql<{ sentence: string }[]>`
    with happened (type, id) as (
      select 'lead.created', id
      from tracking.affiliate_lead_events
      where program_id = ${program_id}
      union all
      select 'sale.recorded', id
      from tracking.affiliate_sale_events
      where program_id = ${program_id}
        and state = 'complete'
      union all
      select 'commission.created', id
      from commissions.commissions
      where program_id = ${program_id}
      union all
      select 'refund.recorded', refund.id
      from commissions.refunds as refund
      join commissions.commissions as commission on commission.id = commission_id
      where program_id = ${program_id}
    ),
    written as (
      select type, (data ->> 'id')::bigint as id
      from delivery.events
      where program_id = ${program_id}
        and type in (select type from happened)
    )
    select format('%s %s happened, but has no event', type, id) as sentence
    from (select * from happened except all select * from written) as missing
    union all
    select format('%s %s has an event too many', type, id)
    from (select * from written except all select * from happened) as invented
    limit 10
  `
  return differing.map(({ sentence }) => sentence)
}
