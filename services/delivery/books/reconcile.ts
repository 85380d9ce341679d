import { reconciler } from "../../../lib/reconcile"
import { sql } from "../db"

export const reconcile = reconciler(sql, [
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
])
