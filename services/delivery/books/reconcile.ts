import { noRowSetAside } from "../../../lib/feeds/set-aside"
import { reconciler } from "../../../lib/reconcile"
import { sql } from "../db"

export const reconcile = reconciler(sql, [
  noRowSetAside("delivery"),
  {
    invariant: "Each enabled webhook endpoint has a secret to sign with",
    table: "webhook_endpoints",
    violations: sql => sql`
      select format('Webhook endpoint %s', id), 'is enabled, but has no secret.'
      from webhook_endpoints
      where status = 'enabled'
        and not exists (
          select
          from webhook_secrets
          where endpoint_id = webhook_endpoints.id
            and valid_until is null
        )
    `,
  },
  {
    invariant: "The queue of deliveries knows each webhook endpoint",
    table: "webhook_endpoints",
    violations: sql => sql`
      select format('Webhook endpoint %s', id), 'gets no deliveries.'
      from webhook_endpoints
      where not exists (
        select
        from receivers
        where endpoint_id = webhook_endpoints.id
          and receivers.workspace_id = webhook_endpoints.workspace_id
      )
    `,
  },
  {
    invariant: "Each delivery that counts as delivered has an attempt that succeeded",
    table: "deliveries",
    violations: sql => sql`
      select format('Delivery %s', id), 'has no attempt with a status from 200 to 299.'
      from deliveries
      where status = 'delivered'
        and not exists (
          select
          from attempts
          where delivery_id = deliveries.id
            and response_status between 200 and 299
        )
    `,
  },
  {
    invariant: "Each event log has a number for each event, without gaps",
    table: "events",
    violations: sql => sql`
      select
        format('Event %s of program %s', sequence, program_id),
        format('follows %s in the log.', before)
      from (
        select
          program_id,
          sequence,
          lag(sequence) over (partition by program_id order by sequence) as before
        from events
        where published_at is not null
      ) as logged
      where sequence <> before + 1
    `,
  },
  {
    invariant: "Each event log ends with the last event of its program",
    table: "event_logs",
    violations: sql => sql`
      select
        format('The log of program %s', program_id),
        format('ends with event %s, but %s is the last.', last_sequence, last)
      from event_logs
      join lateral (
        select max(sequence) as last
        from events
        where events.program_id = event_logs.program_id
          and published_at is not null
      ) as published on true
      where last <> last_sequence
    `,
  },
])
