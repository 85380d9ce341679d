import type { Damage } from "./damages"

const SIGNS = "Each enabled webhook endpoint has a secret to sign with"

export const DELIVERY_DAMAGES: Damage[] = [
  {
    damage: "a webhook endpoint without a secret",
    invariant: SIGNS,
    sql: "delete from delivery.webhook_secrets",
  },
  {
    damage: "a webhook endpoint whose secret ends",
    invariant: SIGNS,
    sql: "update delivery.webhook_secrets set valid_until = now() + interval '1 day'",
  },
  {
    damage: "a lost audit entry of a webhook endpoint",
    invariant: "The audit log has each entry as its service wrote it",
    sql: "delete from identity.audit_entries where action = 'webhook_endpoint.create'",
  },
]
