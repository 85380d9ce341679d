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
])
